import type { ErrorKind } from '../../../../../shared/jobs/job.ts';

/** What a status alone says about a request whose body has been sent. */
export interface HttpStatus {
  kind: ErrorKind;
  /** `no`: not accepted. `lost`: nobody knows whether it was accepted. `open`: the request failed, but its cost is not known. */
  accepted: 'no' | 'lost' | 'open';
  /** In `statuses.jsonl`. */
  fixture: string;
  /** The status decides the kind, unless the answer has a code or sentence with one meaning. */
  specific?: boolean;
}

type Group = readonly [kind: ErrorKind, accepted: HttpStatus['accepted'], statuses: string, specific?: 'specific'];

/** RFC 9110 and its relatives (4918, 6585, 7725, 8470); those from 520 on are of Cloudflare, and 529 of Anthropic. */
const GROUPS: readonly Group[] = [
  // The request belongs at another address, so nothing was done at this one. Other redirects may come after the request was accepted.
  ['invalid', 'no', '301 307 308'],
  ['invalid', 'no', '400 404 405 406 410 411 412 413 414 415 417 421 422 423 426 428 431'],
  ['auth', 'no', '401 407', 'specific'],
  ['auth', 'no', '403'],
  ['quota', 'no', '402', 'specific'],
  ['rate_limit', 'no', '429', 'specific'],
  ['moderation', 'no', '451', 'specific'],
  // 425: not processed, and worth sending again (RFC 8470 5.2).
  ['server', 'no', '425 501 505 521 523 525 526 529 530'],
  // 409: the same request may be running, or done.
  ['invalid', 'lost', '409'],
  ['timeout', 'lost', '408'],
  ['timeout', 'lost', '504 524', 'specific'],
  ['server', 'lost', '520 522'],
];

export const HTTP_STATUSES = new Map<number, HttpStatus>(
  GROUPS.flatMap(([kind, accepted, statuses, specific]) =>
    statuses
      .split(' ')
      .map(
        (fixture) => [Number(fixture), { kind, accepted, fixture, ...(specific ? { specific: true } : {}) }] as const,
      ),
  ),
);

/** Whether a status refuses for want of a right, which may be that of a key or of a link. */
export const isDenied = (status: number | undefined): boolean => status === 401 || status === 403;
