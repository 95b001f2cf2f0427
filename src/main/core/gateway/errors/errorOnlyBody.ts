import { withoutEcho } from '../exchange/echo.ts';
import { isObject, type Json } from '../json/json.ts';
import { kindOf } from './classify.ts';
import { refusalsIn } from './rules/matching.ts';
import { type Fault, faultOf } from './serviceError.ts';

const CLEAR = new Set(['auth', 'quota', 'rate_limit', 'invalid', 'moderation']);
const NOTE_FIELDS =
  /^(message|msg|err(or)?_?(msg|message|code)?|detail|details|description|reason|code|type|title|status|request_?id|trace_?id|time(stamp)?|path|data|result|success)$/i;

/**
 * An answer with a good status that holds nothing but a sentence, such as `{ "message": "Invalid token" }`: a failure where it is a
 * known code, or says clearly what is wrong. Other sentences say nothing of the order.
 */
export function bareRefusal(body: Json | undefined, sent: readonly string[] = []): Fault | undefined {
  if (!isObject(body) || !Object.keys(body).every((name) => NOTE_FIELDS.test(name))) return undefined;
  const fault = faultOf(body);
  const own = { ...fault, message: withoutEcho(fault.message, sent) };
  return fault.message !== '' && (refusalsIn(own, 200).length > 0 || CLEAR.has(kindOf(own, 0))) ? fault : undefined;
}
