import type {
  IDataObject,
  IExecuteFunctions,
  INode,
  INodeExecutionData,
  INodeType,
} from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

import { SocialPublishing } from '../../../nodes/SocialPublishing/SocialPublishing.node';
import type { EngineWorkflow as WorkflowFixture } from '../../../scripts/engine/run';
import { inARow } from './workflows';

/** A tool as n8n hands it to an AI agent. */
export interface Tool {
  invoke(args: IDataObject): Promise<string>;
}

/** What a call of a tool gave, or what it failed with. */
export const outcomeOf = (tool: Tool, args: IDataObject): Promise<string> =>
  tool.invoke(args).catch((error: Error) => error.message);

/** The action node as n8n offers it to AI agents: with a tool for its only output. */
class SocialPublishingTool extends SocialPublishing {
  constructor() {
    super();
    this.description = {
      ...this.description,
      name: 'socialPublishingTool',
      inputs: [],
      outputs: [NodeConnectionTypes.AiTool],
    };
  }
}

/** Calls the tool that is connected to it with each input item, one after the other or all at once. */
class Caller implements INodeType {
  description = {
    displayName: 'Caller',
    name: 'caller',
    description: 'Caller',
    group: [],
    version: 1,
    defaults: {},
    inputs: [NodeConnectionTypes.Main, NodeConnectionTypes.AiTool],
    outputs: [NodeConnectionTypes.Main],
    properties: [
      { displayName: 'At Once', name: 'atOnce', type: 'boolean' as const, default: false },
    ],
  };

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    const [tool] = (await this.getInputConnectionData(NodeConnectionTypes.AiTool, 0)) as Tool[];
    if (!tool) throw new Error('No tool is connected');
    const answerTo = async ({ json }: INodeExecutionData) => ({
      json: { answer: await outcomeOf(tool, json) },
    });
    if (this.getNodeParameter('atOnce', 0, false) === true) {
      return [await Promise.all(this.getInputData().map(answerTo))];
    }
    const answers: INodeExecutionData[] = [];
    for (const item of this.getInputData()) answers.push(await answerTo(item));
    return [answers];
  }
}

/** The node types of `callingTool`. */
export const tools: INodeType[] = [new SocialPublishingTool(), new Caller()];

/**
 * A workflow whose last node "Caller" calls the action node as a tool with each input item, and
 * outputs what it is answered as `answer`.
 *
 * @param atOnce whether it calls for all items at once, as an AI agent may
 */
export function callingTool(tool: Partial<INode>, atOnce = false): WorkflowFixture {
  const { name = 'Tool' } = tool;
  const row = inARow(
    { name: 'Start', type: 'test-nodes.start' },
    { name: 'Caller', type: 'tools.caller', parameters: { atOnce } },
  );
  const [node] = inARow({
    credentials: { socialPublishingApi: { id: 'sandbox', name: 'Sandbox' } },
    ...tool,
    name,
    type: 'tools.socialPublishingTool',
  }).nodes;
  return {
    ...row,
    nodes: [...row.nodes, ...(node ? [{ ...node, id: 'tool' }] : [])],
    connections: {
      ...row.connections,
      [name]: { ai_tool: [[{ node: 'Caller', type: NodeConnectionTypes.AiTool, index: 0 }]] },
    },
  };
}
