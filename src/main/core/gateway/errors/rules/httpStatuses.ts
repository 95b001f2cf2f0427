import type { ErrorKind } from '../../../../../shared/job.ts';
import type { Source } from './sources.ts';

/** What a status alone says about a request whose body has been sent. */
export interface HttpStatus {
  kind: ErrorKind;
  /** `no`: not accepted. `lost`: nobody knows whether it was accepted. `open`: the request failed, but its cost is not known. */
  accepted: 'no' | 'lost' | 'open';
  source: Source;
  /** In `statuses.jsonl`. */
  fixture: string;
  /** The status decides the kind, unless the answer has a code or phrase with one meaning. */
  specific?: boolean;
}

type Row = readonly [
  status: number,
  kind: ErrorKind,
  accepted: HttpStatus['accepted'],
  source: Source,
  specific?: 'specific',
];

const ROWS: readonly Row[] = [
  // The request belongs at another address, so nothing was done at this one. Other redirects may come after the request was accepted.
  [301, 'invalid', 'no', 'rfc'],
  [307, 'invalid', 'no', 'rfc'],
  [308, 'invalid', 'no', 'rfc'],
  [400, 'invalid', 'no', 'rfc'],
  [401, 'auth', 'no', 'rfc', 'specific'],
  [402, 'quota', 'no', 'openrouter', 'specific'],
  [403, 'auth', 'no', 'rfc'],
  [404, 'invalid', 'no', 'rfc'],
  [405, 'invalid', 'no', 'rfc'],
  [406, 'invalid', 'no', 'rfc'],
  [407, 'auth', 'no', 'rfc', 'specific'],
  [408, 'timeout', 'lost', 'rfc'],
  // The same request may be running, or done.
  [409, 'invalid', 'lost', 'rfc'],
  [410, 'invalid', 'no', 'rfc'],
  [411, 'invalid', 'no', 'rfc'],
  [412, 'invalid', 'no', 'rfc'],
  [413, 'invalid', 'no', 'rfc'],
  [414, 'invalid', 'no', 'rfc'],
  [415, 'invalid', 'no', 'rfc'],
  [417, 'invalid', 'no', 'rfc'],
  [421, 'invalid', 'no', 'rfc'],
  [422, 'invalid', 'no', 'rfc'],
  [423, 'invalid', 'no', 'rfc'],
  // Not processed, and worth sending again (RFC 8470 5.2).
  [425, 'server', 'no', 'rfc'],
  [426, 'invalid', 'no', 'rfc'],
  [428, 'invalid', 'no', 'rfc'],
  [429, 'rate_limit', 'no', 'rfc', 'specific'],
  [431, 'invalid', 'no', 'rfc'],
  [434, 'auth', 'no', 'zai'],
  [435, 'invalid', 'no', 'zai'],
  // The guardrails of a gateway denied the request, or perhaps its result.
  [446, 'moderation', 'open', 'portkey', 'specific'],
  [451, 'moderation', 'no', 'rfc', 'specific'],
  [498, 'auth', 'no', 'esri'],
  [501, 'server', 'no', 'rfc'],
  [504, 'timeout', 'lost', 'rfc', 'specific'],
  [505, 'server', 'no', 'rfc'],
  [520, 'server', 'lost', 'cloudflare'],
  [521, 'server', 'no', 'cloudflare'],
  [522, 'server', 'lost', 'cloudflare'],
  [523, 'server', 'no', 'cloudflare'],
  [524, 'timeout', 'lost', 'cloudflare', 'specific'],
  [525, 'server', 'no', 'cloudflare'],
  [526, 'server', 'no', 'cloudflare'],
  [529, 'server', 'no', 'anthropic'],
  [530, 'server', 'no', 'cloudflare'],
];

export const HTTP_STATUSES = new Map<number, HttpStatus>(
  ROWS.map(([status, kind, accepted, source, specific]) => [
    status,
    { kind, accepted, source, fixture: `${status}`, ...(specific ? { specific: true } : {}) },
  ]),
);
