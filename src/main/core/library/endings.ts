import type { ErrorKind } from '../../../shared/job.ts';
import type { AssetRow } from './assetTable.ts';
import type { StoredFile } from './files.ts';
import type { Received } from './receive.ts';

/** What is done about a download after a try. */
export type Ending =
  | { type: 'local'; file: StoredFile }
  /** In object storage: it stays where it is. */
  | { type: 'stored'; message: string }
  /** It will not come by itself any more. */
  | { type: 'givenUp'; message: string }
  /** Its place says that it was refused: it was not made. */
  | { type: 'refused'; message: string; kind: ErrorKind }
  | { type: 'full'; waitMs: number }
  | {
      type: 'later';
      message: string;
      waitMs: number;
      /** Counts for the growing pauses. */
      tried: boolean;
      /** Counts towards giving up. */
      struck: boolean;
      /** The place did not answer at all. */
      outage: boolean;
    };

/** Definite answers that are no file, until it is given up: over a minute's worth of growing pauses. */
const MOST_STRIKES = 6;
/** A copy may need a moment to be known everywhere. */
const MOST_MISSING = 4;
/** An end that was announced has passed by so much, and the place has still not been reached. */
const AFTER_THE_END_MS = 24 * 3_600_000;
/** Nobody said when the link ends, and it has never worked. */
const LONGEST_UNKNOWN_MS = 14 * 24 * 3_600_000;

const FIRST_MS = 2_000;
const LONGEST_MS = 60_000;
const FULL_MS = 15_000;

interface About {
  asset: AssetRow;
  now: number;
}

/** Decides strictly: a link ends only by a definite word, by too many definite wrong answers, or long after its time. */
export function endingOf(about: About, received: Received): Ending {
  switch (received.type) {
    case 'local':
      return received;
    case 'full':
      return { type: 'full', waitMs: FULL_MS };
    case 'unfit':
      return struck(about, received.message, about.asset.remote_uri?.startsWith('data:') ? 1 : MOST_STRIKES);
    case 'broken':
      return again(about, { message: received.message, tried: !received.further });
    default:
      return unfetched(about, received.outcome);
  }
}

function unfetched(about: About, { type, error }: Extract<Received, { type: 'unfetched' }>['outcome']): Ending {
  const { message } = error;
  switch (type) {
    case 'gone':
    case 'refused':
      return { type: 'givenUp', message };
    case 'failed': {
      const ending = error.retryable ? struck(about, message, MOST_MISSING) : { type: 'givenUp' as const, message };
      return ending.type === 'givenUp' ? { type: 'refused', message, kind: error.kind } : ending;
    }
    case 'stored':
      return { type: 'stored', message };
    case 'missing':
      return isOver(about) ? { type: 'givenUp', message } : struck(about, message, MOST_MISSING);
    case 'wrong':
      return struck(about, message, MOST_STRIKES);
    case 'pending':
      return again(about, { message, waitMs: error.retryAfterMs });
    default: {
      const silent = error.status === undefined && (error.kind === 'network' || error.kind === 'timeout');
      return again(about, { message, waitMs: error.retryAfterMs, outage: silent || error.retryAfterMs !== undefined });
    }
  }
}

function struck(about: About, message: string, most: number): Ending {
  if (about.asset.strikes + 1 >= most) return { type: 'givenUp', message };
  return again(about, { message, struck: true });
}

/** Whether the announced end of the link has passed. */
const isOver = ({ asset, now }: About): boolean => asset.expires_at !== null && asset.expires_at <= now;

interface Again {
  message: string;
  waitMs?: number | undefined;
  tried?: boolean;
  struck?: boolean;
  outage?: boolean;
}

function again(about: About, { message, waitMs = 0, tried = true, struck = false, outage = false }: Again): Ending {
  const { asset, now } = about;
  const last = asset.expires_at === null ? asset.created_at + LONGEST_UNKNOWN_MS : asset.expires_at + AFTER_THE_END_MS;
  if (now > last) return { type: 'givenUp', message: `${message} The time of its link is over.` };
  const pause = tried ? Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(asset.tries, 10)) : FIRST_MS;
  return { type: 'later', message, waitMs: Math.max(waitMs, apart(asset.id, pause)), tried, struck, outage };
}

/** ±20 %, always the same for the same asset: those that failed together do not come back together. */
function apart(id: string, pause: number): number {
  let mixed = 0;
  for (const character of id) mixed = (mixed * 31 + character.charCodeAt(0)) % 4001;
  return Math.round(pause * (0.8 + (0.4 * mixed) / 4001));
}
