import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';

/**
 * The field with more conditions: it shows when these and its own hold. These come first, since n8n
 * reads no further than the first condition on a parameter that holds an expression.
 */
export const shown = (
  field: INodeProperties,
  { show, hide }: IDisplayOptions,
): INodeProperties => ({
  ...field,
  displayOptions: {
    ...((show ?? field.displayOptions?.show) && {
      show: { ...show, ...field.displayOptions?.show },
    }),
    ...((hide ?? field.displayOptions?.hide) && {
      hide: { ...hide, ...field.displayOptions?.hide },
    }),
  },
});
