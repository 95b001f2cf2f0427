import type { ErrorCode, Reason, StudioError } from '../../shared/contract/result.ts';
import { isRule } from '../../shared/contract/validationMessages.ts';
import { t } from '../../shared/text/texts.ts';

/** What to do about a failed call, shown after the error message. */
export const ERROR_HINTS = {
  invalid_input: t`Nothing was saved or sent. Correct it and try again.`,
  not_found: t`The item may have been removed. Nothing was saved or sent.`,
  conflict: t`The item was changed elsewhere. Nothing was saved or sent.`,
  has_holes: t`Nothing was exported. Make the shot, hold a still, or leave it out.`,
  wrong_state: t`Nothing was changed or sent.`,
  key_missing: t`Nothing was sent. Enter the key in Settings.`,
  unsupported_media: t`Nothing was imported.`,
  too_large: t`Nothing was saved or sent.`,
  disk_full: t`Free some space on the data folder’s disk. Nothing made is lost.`,
  store_unavailable: t`Nothing was sent. What was saved before is kept.`,
  unreachable: t`Nothing you wrote is lost.`,
  internal: t`An error in Dailies. What was saved before is kept.`,
} as const satisfies Record<ErrorCode, string>;

/** Page labels of contract fields, by the last name of their path; other fields keep that name. */
const FIELD_NAMES: Readonly<Record<string, string>> = {
  apiKey: t`API key`,
  base: t`Picture`,
  baseUrl: t`Address`,
  billedNano: t`On the bill`,
  capNano: t`Budget`,
  durationSeconds: t`Length`,
  end: t`To`,
  hardNano: t`Stop at`,
  image: t`First frame`,
  lastFrame: t`Last frame`,
  messages: t`Messages`,
  referenceImages: t`References`,
  sampleCount: t`Variations`,
  softNano: t`Warn at`,
  start: t`From`,
  timeout: t`Timeout`,
  video: t`Clip`,
};

/** A reason without its field nearby: `Mask must be a PNG.`, `Choose a first frame.` */
export function reasonText({ field, message, isSentence }: Reason): string {
  if (isSentence) return message;
  const name = fieldName(field);
  return name !== '' && isRule(message) ? `${name} ${sentence(message)}` : capital(sentence(message));
}

/** A reason at its field: `Closes: must not be the start.` */
export const fieldText = (label: string, { message }: Pick<Reason, 'message'>): string =>
  `${label}: ${sentence(message)}`;

/** All reasons of a refusal; one if the studio names only a field, none if it names nothing. */
export function reasonsOf({ data, message }: StudioError): Reason[] {
  if (Array.isArray(data?.reasons)) return data.reasons as Reason[];
  if (typeof data?.field !== 'string') return [];
  const named = `${data.field}: `;
  if (!message.startsWith(named)) return [{ field: data.field, message, isSentence: true }];
  return [{ field: data.field, message: message.slice(named.length) }];
}

/** An error for pages without the field nearby: the first reason, with the field's page label. */
export function errorText(error: StudioError): string {
  const [reason] = reasonsOf(error);
  return reason ? reasonText(reason) : error.message;
}

/** `requests.0.config.durationSeconds` → `Length`; `fooBar` → `Foo bar`. */
function fieldName(field: string): string {
  const parts = field.split('.').filter((part) => !/^\d+$/.test(part));
  const last = parts.at(-1) ?? '';
  return FIELD_NAMES[last] ?? capital(last.replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`));
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const sentence = (text: string): string => (/[.!?。！？]$/.test(text) ? text : `${text}.`);
