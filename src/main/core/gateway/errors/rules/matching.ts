import { STATUS_CODES } from 'node:http';
import type { ErrorKind } from '../../../../../shared/job.ts';
import type { Fault } from '../serviceError.ts';
import { REFUSALS, type Refusal } from './codes.ts';

/** Longer texts are sentences, and no code. */
const LONGEST_CODE = 200;
/** What one word may have; longer beginnings are several. */
const LONGEST_WORD = 12;

const NO_ROOM: ReadonlySet<ErrorKind> = new Set(['server', 'rate_limit']);

/** The rows that a fault's codes name, in the order in which the fault says them: the innermost error first, codes before types. */
export function refusalsIn(fault: Fault, status: number): Refusal[] {
  const codes = [...(fault.numbers ?? []).map((number) => [numberToken(number)]), ...fault.words.map(withHead)];
  const whole = wholeMessage(fault.message);
  // Any proxy says what its status is called, and in a 5xx what a status behind it is called: that is a number in words.
  const isName = status >= 500 ? STATUS_NAMES.has(whole) : whole === plainToken(STATUS_CODES[status] ?? '');
  const message = isName ? '' : whole;
  const isSentence = /\s/.test(fault.message.trim());
  const spoken = rowOf(message, status, (row) => {
    // A code may begin with a known one; a sentence that begins so is still a sentence, unless it begins with a whole known one.
    if (row.token.indexOf('*') === row.token.length - 1 && plainToken(row.token).length <= LONGEST_WORD) return false;
    // In words, a 5xx may repeat what went wrong behind it; only that there is no room is the service's own.
    return !isSentence || status < 500 || NO_ROOM.has(row.kind);
  });
  const told = codes.flatMap(
    ([code = '', head = '']) => rowOf(code, status, always) ?? rowOf(head, status, always) ?? [],
  );
  return [...told, ...(spoken ? [spoken] : [])];
}

const always = (): boolean => true;

/** A code, and behind it what stands before its first dot: `SensitiveContentDetected.Violence` narrows what that says. */
function withHead(word: string): string[] {
  const head = /^(\w{4,})\.[\w.]+$/.exec(word)?.[1];
  return head === undefined ? [plainToken(word)] : [plainToken(word), plainToken(head)];
}

/** A row for this very status counts before one for any. */
function rowOf(token: string, status: number, counts: (row: Refusal) => boolean): Refusal | undefined {
  if (token === '') return undefined;
  const rows = REFUSALS.filter(
    (row) => isToken(row.token, token) && (row.at === undefined || row.at === status) && counts(row),
  );
  return rows.find((row) => row.at !== undefined) ?? rows[0];
}

/** A code that is the whole message, without the request's id that some services put behind it. */
function wholeMessage(message: string): string {
  const text = message.slice(0, LONGEST_CODE + 1);
  const at = text.toLowerCase().search(/[(（]\s?request id/);
  const own = at < 0 ? text : text.slice(0, at);
  return own.length > LONGEST_CODE ? '' : plainToken(own);
}

/** Letters and digits: `INSUFFICIENT_CREDITS`, `InsufficientCredits` and `Insufficient credits.` are one code. */
const plainToken = (text: string): string => text.replace(/[^\p{L}\p{N}]+/gu, '').toLowerCase();

const STATUS_NAMES: ReadonlySet<string> = new Set(Object.values(STATUS_CODES).map((name) => plainToken(name ?? '')));

/** A number keeps its place: `error.code=3` is not `error_code=3`. */
const numberToken = (text: string): string => text.replace(/[^a-z0-9.=]+/gi, '').toLowerCase();

function isToken(written: string, token: string): boolean {
  if (written.includes('=')) return numberToken(written) === token;
  const [first = '', ...rest] = written.split('*').map(plainToken);
  const last = rest.pop();
  if (last === undefined) return first === token;
  if (!token.startsWith(first) || !token.endsWith(last) || token.length === first.length) return false;
  let from = first.length;
  for (const part of rest) {
    const at = token.indexOf(part, from);
    if (at < 0) return false;
    from = at + part.length;
  }
  return from + last.length <= token.length;
}
