import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../../../../shared/json';
import { mediaUrl } from '../../../parameters/readers';
import { COMMAS, isEmpty, quote, textList } from '../../../parameters/values';

const isId = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) > 0;

const isText = (value: unknown): boolean => typeof value === 'string' && !isEmpty(value);

const isMoment = (value: unknown): boolean =>
  typeof value === 'string' &&
  !Number.isNaN(Date.parse(value)) &&
  new Date(value).toISOString() === value;

function isVariant(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { socialAccountId, content = '', mediaUrls = [] } = value;
  return (
    isId(socialAccountId) &&
    typeof content === 'string' &&
    Array.isArray(mediaUrls) &&
    textList(mediaUrls, COMMAS)?.every((url) => mediaUrl(url) !== undefined) === true &&
    (isText(content) || mediaUrls.length > 0)
  );
}

/** What the service takes for a field that it documents, and an example (docs/service.md, "POST /posts"). */
const FIELDS: Readonly<Record<string, readonly [(value: unknown) => boolean, example: string]>> = {
  workspaceId: [isId, '1'],
  status: [isText, '"scheduled"'],
  scheduledAt: [isMoment, '"2026-12-01T09:00:00.000Z"'],
  variants: [
    (value) => Array.isArray(value) && value.length > 0 && value.every(isVariant),
    '[{ "socialAccountId": 1, "content": "Hello" }]',
  ],
};

/**
 * What the service is likely to refuse of fields that are sent as the user wrote them, in words.
 *
 * @param label the field that they are written in, as the user sees it
 */
export const customBodyWarnings = (label: string, custom: IDataObject): string[] =>
  Object.entries(FIELDS).flatMap(([name, [isTaken, example]]) =>
    !(name in custom) || isTaken(custom[name])
      ? []
      : [
          `${label} → ${name} is ${quote(custom[name])}, which the service may refuse. It takes a value such as ${example}`,
        ],
  );
