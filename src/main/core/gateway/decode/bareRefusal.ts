import { withoutEcho } from './echo.ts';
import { type Fault, faultOf } from './fault.ts';
import { isObject, type Json } from './json.ts';
import { kindOf } from './kind.ts';

const CLEAR = new Set(['auth', 'quota', 'rate_limit', 'invalid', 'moderation']);
const NOTE_FIELDS =
  /^(message|msg|err(or)?_?(msg|message|code)?|detail|details|description|reason|code|type|title|status|request_?id|trace_?id|time(stamp)?|path|data|result|success)$/i;

/**
 * An answer with a good status that holds nothing but a sentence, such as `{ "message": "Invalid token" }`: a no where the sentence
 * says so clearly. Other sentences leave the matter open.
 */
export function bareRefusal(body: Json | undefined, sent: readonly string[] = []): Fault | undefined {
  if (!isObject(body) || !Object.keys(body).every((name) => NOTE_FIELDS.test(name))) return undefined;
  const fault = faultOf(body);
  return fault.message !== '' && CLEAR.has(kindOf({ ...fault, message: withoutEcho(fault.message, sent) }, 0))
    ? fault
    : undefined;
}
