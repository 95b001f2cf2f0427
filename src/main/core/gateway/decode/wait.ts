import { field, isObject, type Json, listOf, textOf } from './json.ts';

const CAP_MS = 5 * 60_000;

type Headers = Readonly<Record<string, string>>;

/** How long the service asks to wait, in milliseconds: from `Retry-After` and its relatives, capped at five minutes. */
export function retryAfterMs(headers: Headers, body: Json | undefined, now: number): number | undefined {
  const asked = fromHeaders(headers, now) ?? fromBody(body) ?? undefined;
  return asked === undefined ? undefined : Math.min(CAP_MS, Math.max(0, Math.round(asked)));
}

function fromHeaders(headers: Headers, now: number): number | undefined {
  const exact = Number.parseFloat(headers['retry-after-ms'] ?? '');
  if (Number.isFinite(exact)) return exact;
  const text = headers['retry-after']?.trim();
  if (!text) return undefined;
  if (/^\d+(\.\d+)?s?$/.test(text)) return Number.parseFloat(text) * 1000;
  const at = Date.parse(text);
  if (Number.isNaN(at)) return undefined;
  // A date counts against the service's own clock, which need not be ours.
  const serverNow = Date.parse(headers.date ?? '');
  return at - (Number.isNaN(serverNow) ? now : serverNow);
}

function fromBody(body: Json | undefined): number | undefined {
  if (Array.isArray(body)) return fromBody(body[0]);
  if (!isObject(body)) return undefined;
  const error = field(body, 'error');
  const places = [
    error,
    body,
    field(error, 'metadata'),
    ...listOf(field(error, 'details')),
    ...listOf(field(body, 'details')),
  ];
  for (const place of places) {
    const found = delayIn(place);
    if (found !== undefined) return found;
  }
  return spokenDelay(textOf(field(error, 'message')) ?? textOf(field(body, 'message')) ?? '');
}

/** "Please try again in 20s." */
function spokenDelay(message: string): number | undefined {
  const match =
    /(?:again|retry)\s+(?:in|after)\s+(\d+(?:\.\d+)?)\s*(ms|milliseconds?|s|secs?|seconds?|m|minutes?)\b/i.exec(
      message,
    );
  if (!match) return undefined;
  const unit = (match[2] ?? 's').toLowerCase();
  return Number(match[1]) * (/^m(s|illi)/.test(unit) ? 1 : unit.startsWith('m') ? 60_000 : 1000);
}

function delayIn(place: Json | undefined): number | undefined {
  const millis = Number(textOf(field(place, 'retryAfterMs')) ?? Number.NaN);
  if (Number.isFinite(millis)) return millis;
  const delay = field(place, 'retryDelay', 'retryAfter', 'retryAfterSeconds');
  if (isObject(delay)) return Number(textOf(field(delay, 'seconds')) ?? 0) * 1000;
  const match = /^(\d+(?:\.\d+)?)\s*(ms|s)?$/.exec(textOf(delay) ?? '');
  return match ? Number(match[1]) * (match[2] === 'ms' ? 1 : 1000) : undefined;
}
