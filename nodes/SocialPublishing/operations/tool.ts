import type { INodeProperties } from 'n8n-workflow';

import { shown } from './shown';

/** What a model is told of a value that it fills in. */
interface ForModel {
  /** What the model knows the value by. */
  readonly key: string;
  /** What to fill in, in words that a model can act on. Quotes of any kind would end the expression. */
  readonly tells: string;
  readonly type?: 'string' | 'number' | 'boolean';
  /** Whether the model may leave it out. */
  readonly optional?: boolean;
}

/** An expression for a value that the model fills in, as the editor's own button writes it. */
export const fromModel = ({ key, tells, type = 'string', optional }: ForModel): string =>
  `={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('${key}', \`${tells}\`, '${type}'${optional === true ? ", ''" : ''}) }}`;

/** The field as people fill it in: not shown when the node is a tool of an AI agent. */
export const filledByPeople = (field: INodeProperties): INodeProperties =>
  shown(field, { show: { '@tool': [false] } });

/**
 * The copy of a field that is shown when the node is a tool of an AI agent.
 *
 * @param prefilled what it arrives with, such as {@link fromModel} gives it
 */
export const prefilledForTool = (
  field: INodeProperties,
  prefilled: INodeProperties['default'],
): INodeProperties =>
  shown({ ...field, required: false, default: prefilled }, { show: { '@tool': [true] } });

/** The copy of a field that the model fills in when the node is a tool of an AI agent. */
export const filledByModel = (field: INodeProperties, forModel: ForModel): INodeProperties =>
  prefilledForTool(field, fromModel(forModel));

/**
 * What a model is told of a tool, instead of n8n's generated text. It may be an expression,
 * which n8n resolves when the agent runs.
 */
export const toolDescription = (text: string): INodeProperties => ({
  displayName: 'Tool Description',
  name: 'toolDescription',
  type: 'string',
  typeOptions: { rows: 3 },
  default: text,
  displayOptions: { show: { '@tool': [true] } },
  description: 'What the AI model is told about this tool',
});
