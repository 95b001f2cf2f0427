import { field, isObject, type Json, type JsonObject, listOf, textOf } from '../json/index.ts';

/** What a validator says of single fields, beside the message of its error or in place of one. */

/** Nobody reads more. */
const MAX_REASONS = 20;

/** Several reasons as one text, each once. */
export const joinedReasons = (reasons: readonly string[]): string =>
  [...new Set(reasons.slice(0, MAX_REASONS))].filter((reason) => reason !== '').join('; ');

/** `{ prompt: ["may not be blank"] }`: Laravel, Rails and ASP.NET answer so in `errors`. */
export function reasonsByField(node: Json | undefined): string {
  if (!isObject(node)) return '';
  const fields = Object.entries(node).slice(0, MAX_REASONS);
  return joinedReasons(fields.map(([name, value]) => withPlace(isOfAll(name) ? undefined : name, textsOf(value))));
}

/** The reasons of Django REST are the whole body: a list of texts for each field, and nothing else. */
export function reasonsOfBody(body: Json | undefined): string {
  const isOfFields = isObject(body) && Object.values(body).every((value) => Array.isArray(value) && isOfTexts(value));
  return isOfFields ? reasonsByField(body) : '';
}

/** Django REST and Rails: what is about no single field. */
const isOfAll = (name: string): boolean => ['non_field_errors', 'nonFieldErrors', 'base'].includes(name);

const isOfTexts = (list: readonly Json[]): boolean =>
  list.length > 0 && list.every((entry) => typeof entry === 'string');

const textsOf = (value: Json): string =>
  (Array.isArray(value) ? value : [value]).filter((entry) => typeof entry === 'string').join(' ');

/** `issues` is of zod, `violations` of Spring, `fieldViolations` of google.rpc.BadRequest. */
const LISTS = ['issues', 'violations', 'fieldViolations'];

/** The reasons beside a message, each with the name of its field. */
function reasonsBeside(body: JsonObject): string {
  const places = [body, ...listOf(field(body, 'details'))];
  const entries = places.flatMap((place) => LISTS.flatMap((name) => listOf(field(place, name))));
  const listed = entries.slice(0, MAX_REASONS).map((entry) => withPlace(placeOf(entry), reasonOf(entry)));
  return joinedReasons([...listed, reasonsByField(field(body, 'errors'))]);
}

const reasonOf = (entry: Json): string => textOf(field(entry, 'message', 'description', 'msg')) ?? '';

/** The field that an entry of a list is about; a path is named by its end. */
function placeOf(entry: Json): string | undefined {
  const place = field(entry, 'loc', 'path', 'field');
  return textOf(Array.isArray(place) ? place.at(-1) : place);
}

export const withPlace = (place: string | undefined, reason: string): string =>
  place === undefined || reason === '' ? reason : `${place}: ${reason}`;

/** "The given data was invalid." with what is invalid behind it. */
export function withReasons(message: string, body: JsonObject): string {
  const reasons = reasonsBeside(body);
  if (reasons === '' || message.includes(reasons)) return message;
  return message === '' ? reasons : `${message} (${reasons})`;
}
