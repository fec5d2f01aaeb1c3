import type * as N8nWorkflow from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

import type * as Connection from '../../../nodes/shared/connection';
import { MAIN_CONNECTION } from '../../../nodes/shared/connection';

test('is the type that n8n names Main', () => {
  expect(MAIN_CONNECTION).toBe(NodeConnectionTypes.Main);
});

test('needs no export that n8n before 1.85 lacks', () => {
  jest.isolateModules(() => {
    jest.doMock('n8n-workflow', () => {
      const current = jest.requireActual<typeof N8nWorkflow>('n8n-workflow');
      return { ...current, NodeConnectionTypes: undefined };
    });
    const earlier = jest.requireActual<typeof Connection>('../../../nodes/shared/connection');

    expect(earlier.MAIN_CONNECTION).toBe('main');
  });
});
