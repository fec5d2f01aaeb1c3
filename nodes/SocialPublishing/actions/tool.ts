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
