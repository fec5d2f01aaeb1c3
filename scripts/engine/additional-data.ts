import './instance';

import { Container } from '@n8n/di';
import { ExternalSecretsProxy } from 'n8n-core';
import type { ICredentialsHelper, IWorkflowExecuteAdditionalData } from 'n8n-workflow';

const instanceUrl = 'http://127.0.0.1:5678';

/**
 * The additional data that n8n passes to an execution, for an instance at the default address without
 * sub-workflows, task runners and variables.
 */
export function additionalDataWith(
  credentialsHelper: ICredentialsHelper,
  more: Partial<IWorkflowExecuteAdditionalData> = {},
): IWorkflowExecuteAdditionalData {
  const unsupported = (what: string) => () =>
    Promise.reject(new Error(`The engine runs no ${what}`));
  return {
    currentNodeExecutionIndex: 0,
    credentialsHelper,
    externalSecretsProxy: Container.get(ExternalSecretsProxy),
    executeWorkflow: unsupported('sub-workflows'),
    startRunnerTask: unsupported('task runners'),
    getRunExecutionData: () => Promise.resolve(undefined),
    getRuntimeCredential: () => Promise.resolve(undefined),
    logAiEvent: () => undefined,
    variables: {},
    restApiUrl: `${instanceUrl}/rest`,
    instanceBaseUrl: `${instanceUrl}/`,
    formBaseUrl: `${instanceUrl}/form`,
    formWaitingBaseUrl: `${instanceUrl}/form-waiting`,
    formTestBaseUrl: `${instanceUrl}/form-test`,
    webhookBaseUrl: `${instanceUrl}/webhook`,
    webhookWaitingBaseUrl: `${instanceUrl}/webhook-waiting`,
    webhookTestBaseUrl: `${instanceUrl}/webhook-test`,
    mcpBaseUrl: `${instanceUrl}/mcp`,
    mcpTestBaseUrl: `${instanceUrl}/mcp-test`,
    ...more,
  };
}
