import type { INodeProperties } from 'n8n-workflow';

/** What a model is told of a field that it fills in. */
export interface ForModel {
  /** What the model knows the field by. */
  readonly key: string;
  /** What to fill in, in words that a model can act on; without quotes of any kind. */
  readonly tells: string;
  /** Whether the model may leave it out. */
  readonly optional?: boolean;
}

/**
 * The copy of a field that is shown when the node is a tool of an AI agent. It arrives filled in by
 * the model, in the form that the editor's own button writes, with a description of its own.
 */
export const filledByModel = (
  field: INodeProperties,
  { key, tells, optional }: ForModel,
): INodeProperties => {
  return {
    ...field,
    required: false,
    default: `={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('${key}', \`${tells}\`, 'string'${optional === true ? ", ''" : ''}) }}`,
    displayOptions: {
      ...field.displayOptions,
      show: { ...field.displayOptions?.show, '@tool': [true] },
    },
  };
};

/**
 * What a model is told of a tool, in the place of what n8n would make up. It may be an expression,
 * which n8n resolves when the agent runs.
 */
export const toolDescription = (text: string): INodeProperties => ({
  displayName: 'Tool Description',
  name: 'toolDescription',
  type: 'string',
  typeOptions: { rows: 3 },
  default: text,
  displayOptions: { show: { '@tool': [true] } },
  description: 'What the AI model is told of this tool',
});
