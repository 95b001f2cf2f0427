import type { ErrorKind } from '../../../../shared/job.ts';
import type { Fault } from './fault.ts';

/**
 * Whether an error answer to a paid request is a definite no. Automatic resend hangs on this, so what is not certain is `unknown`:
 *
 * | answer                                                                        | accepted |
 * | ----------------------------------------------------------------------------- | -------- |
 * | 4xx                                                                           | no       |
 * | 408, and a 409 that speaks of the same order being known or under way         | unknown  |
 * | 504, 520, 522, 524, 598, 599, whatever they say                               | unknown  |
 * | 5xx whose text speaks of a timeout or a lost connection behind the service    | unknown  |
 * | 5xx that names the caller's fault: auth, quota, rate, invalid, moderation     | no       |
 * | 5xx that speaks of no room: overloaded, queue full, unavailable, no channel   | no       |
 * | 501, 505, 521, 523, 525, 526, 529, 530: nothing behind it was reached         | no       |
 * | 502 and 503 with a time to come back                                          | no       |
 * | 500 and 503 with an error object: the service answered, and the answer is no  | no       |
 * | any other 5xx (bare, a web page, plain text)                                  | unknown  |
 */
export function acceptedBy(
  status: number,
  fault: Fault,
  kind: ErrorKind,
  more: { structured: boolean; asksToWait: boolean },
): 'no' | 'unknown' {
  if (ALWAYS_UNKNOWN.has(status)) return 'unknown';
  const text = [fault.message, ...fault.words].join(' ').toLowerCase();
  if (status === 409) return KNOWN_ORDER.test(text) ? 'unknown' : 'no';
  if (status < 500) return 'no';
  if (LOST_BEHIND.test(text)) return 'unknown';
  if (kind !== 'server' && kind !== 'timeout' && kind !== 'network') return 'no';
  if (NOT_REACHED.has(status) || noRoom(fault)) return 'no';
  if ((status === 502 || status === 503) && more.asksToWait) return 'no';
  return more.structured && (status === 500 || status === 503) ? 'no' : 'unknown';
}

const ALWAYS_UNKNOWN = new Set([408, 504, 520, 522, 524, 598, 599]);
const NOT_REACHED = new Set([501, 505, 521, 523, 525, 526, 529, 530]);
const KNOWN_ORDER = /idempot|already|duplicate|in progress|processing|same key/;
const LOST_BEHIND =
  /time?d?[ _]?out|deadline|connection (was )?(reset|closed|lost|aborted)|reset by peer|unexpected eof|\beof\b|broken pipe|超时/;
const NO_ROOM =
  /overload|over capacity|at capacity|no capacity|queue[ _]?(is )?full|no[ _]?available|unavailable|saturated|maintenance|too busy|is busy|no channel|饱和|无可用|繁忙/;

/** The service says that it had no room for the order, so the same order may go through later. */
export function noRoom(fault: Fault): boolean {
  return NO_ROOM.test([fault.message, ...fault.words].join(' ').toLowerCase());
}
