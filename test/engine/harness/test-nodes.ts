import type {
  IDataObject,
  IExecuteFunctions,
  INodeExecutionData,
  INodeProperties,
  INodeType,
  INodeTypeDescription,
} from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

/**
 * Simple nodes for the workflows of the engine tests. They replace n8n-nodes-base, which is too large
 * to install for this purpose.
 */

function description(
  name: string,
  displayName: string,
  properties: INodeProperties[] = [],
  more: Partial<INodeTypeDescription> = {},
): INodeTypeDescription {
  return {
    name,
    displayName,
    description: displayName,
    group: ['transform'],
    version: 1,
    defaults: { name: displayName },
    inputs: [NodeConnectionTypes.Main],
    outputs: [NodeConnectionTypes.Main],
    properties,
    ...more,
  };
}

/** Starts a workflow with the input items of the test. */
export class Start implements INodeType {
  description = description('start', 'Test: Start', [], { group: ['trigger'], inputs: [] });

  trigger(): Promise<undefined> {
    return Promise.resolve(undefined);
  }
}

/** Assigns `values`, a JSON object, to its input items in place and outputs the same items. */
export class EditInPlace implements INodeType {
  description = description('editInPlace', 'Test: Edit In Place', [
    { displayName: 'Values', name: 'values', type: 'json', default: '{}' },
    {
      displayName: 'Only Item',
      name: 'onlyItem',
      type: 'number',
      default: -1,
      description: 'Index of the one item to edit; -1 edits all',
    },
  ]);

  execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    const items = this.getInputData();
    items.forEach((item, index) => {
      const onlyItem = this.getNodeParameter('onlyItem', index) as number;
      if (onlyItem >= 0 && onlyItem !== index) return;
      const values = this.getNodeParameter('values', index);
      Object.assign(
        item.json,
        typeof values === 'string' ? (JSON.parse(values) as IDataObject) : values,
      );
    });
    return Promise.resolve([items]);
  }
}

/** Outputs its items in batches: each batch on the second output, all results on the first. */
export class Loop implements INodeType {
  description = description(
    'loop',
    'Test: Loop',
    [{ displayName: 'Batch Size', name: 'batchSize', type: 'number', default: 1 }],
    { outputs: [NodeConnectionTypes.Main, NodeConnectionTypes.Main] },
  );

  execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    const context = this.getContext('node') as {
      waiting?: INodeExecutionData[];
      done?: INodeExecutionData[];
    };
    if (context.waiting) (context.done ??= []).push(...this.getInputData());
    context.waiting ??= [...this.getInputData()];
    const batch = context.waiting.splice(0, this.getNodeParameter('batchSize', 0) as number);
    return Promise.resolve(batch.length > 0 ? [[], batch] : [context.done ?? [], []]);
  }
}

/** Makes the execution wait, as n8n's Wait node does, until a test resumes it. */
export class Wait implements INodeType {
  description = description('wait', 'Test: Wait');

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    await this.putExecutionToWait(new Date('3000-01-01T00:00:00.000Z'));
    return [this.getInputData()];
  }
}

/** Fails with `message`, or outputs its input items when `message` is empty. */
export class FailWith implements INodeType {
  description = description('failWith', 'Test: Fail With', [
    { displayName: 'Message', name: 'message', type: 'string', default: '' },
  ]);

  execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    const message = this.getNodeParameter('message', 0) as string;
    return message ? Promise.reject(new Error(message)) : Promise.resolve([this.getInputData()]);
  }
}
