import type { Store } from '../store/index.ts';
import { type Decisions, NEAR_MS, type Placed, place } from './assign.ts';
import { type BillJob, LONGEST_RUN_MS } from './billJobs.ts';
import { hasOpenZone, inAnyZone, linesOfRanges, type OpenZone, type WidenedLine } from './openZone.ts';
import { reachOf } from './period.ts';
import type { BillLine } from './readBill.ts';
import { type StatementRow, statementTable } from './table.ts';
import { ZONE_MS } from './times.ts';
import { hasUnread } from './unread.ts';

/** The end of the bill that goes before another one: what was sent then may stand on either. */

export interface BillBefore extends OpenZone {
  /** From when on the two are one; absent where a line of it may be missing. */
  begins?: number;
  /** Its last ones. */
  lines: readonly BillLine[];
  decisions: Decisions;
}

/** How long before a bill what may stand on it was sent, with the time that its lines may be from that. */
const END_MS = LONGEST_RUN_MS + 2 * NEAR_MS;
const MAX_LINES = 5_000;

/**
 * The bill whose period goes on to this one's, if there is one. The two are one where no more than the longest run lies between the last line
 * of the one and the first of the other, and all rows of it were read.
 */
export async function billBefore(
  store: Pick<Store, 'read' | 'readAway'>,
  row: StatementRow,
  { bill, decisions }: { bill: readonly BillLine[]; decisions: Decisions },
): Promise<BillBefore | undefined> {
  const before = statementTable.before(store.read, row);
  if (!before) return undefined;
  const begins = row.from - END_MS;
  const { reach, isZoneAssumed, zoneless } = before.facts;
  // A line without a zone may be that far from the time that is stored of it.
  const aroundMs = isZoneAssumed ? ZONE_MS : 0;
  const asked = { id: before.id, from: begins - aroundMs, to: row.from + aroundMs, limit: MAX_LINES + 1 };
  const read = await store.readAway((db) => statementTable.linesIn(db, asked));
  const zone: OpenZone = { isZoneAssumed, zoneless: zoneless && linesOfRanges(zoneless, read) };
  const isAtEnd = ({ at, spanMs }: BillLine): boolean => at < row.from && at + spanMs >= begins;
  const lines = read.filter((line) => hasOpenZone(line, zone) || isAtEnd(line));
  // Where times without a zone reach, nobody knows.
  const known = isZoneAssumed ? reachOf(lines.filter((line) => !hasOpenZone(line, zone))) : reach;
  const gapMs = Math.max(row.from, (row.facts.reach ?? reachOf(bill)).first) - Math.min(before.to, known?.last ?? 0);
  const isUnread = reach?.unread !== undefined && hasUnread(reach.unread);
  const isWhole = reach !== undefined && !isUnread && read.length <= MAX_LINES && gapMs <= LONGEST_RUN_MS;
  const own = known && isWhole ? { begins: Math.max(begins, before.from, known.first) } : {};
  return { ...own, lines, decisions, ...zone };
}

/** Which of these jobs have a line there, and which of its lines may be of a job without one. */
export interface EndOfBefore extends Pick<BillBefore, 'begins'> {
  billed: ReadonlySet<BillJob>;
  open: WidenedLine[];
}

/** Generates between slices of the work. */
export function* endOf(
  { lines, decisions, isZoneAssumed, zoneless, ...end }: BillBefore,
  jobs: readonly BillJob[],
  groups: Placed['groups'],
): Generator<void, EndOfBefore> {
  const zone: OpenZone = { isZoneAssumed, zoneless };
  const { assigned, groups: billed } = yield* place(lines, jobs, decisions, zone);
  const isOpen = ({ nano, mark, remoteId }: BillLine, at: number): boolean => {
    const one = assigned[at];
    // By its time and amount alone: an id may be another's, and the job may have its line on the next bill.
    const isUnsure = one?.by === 'near' && (remoteId !== '' || groups.has(one.job));
    return nano > 0 && !decisions.has(mark) && (!one || isUnsure);
  };
  const open = lines.filter(isOpen).map((line) => (hasOpenZone(line, zone) ? inAnyZone(line) : line));
  return { ...end, billed: new Set(billed.keys()), open };
}

/** When a line for a job may be. How long took what is in doubt, nobody knows. */
export const lineTimes = (job: BillJob): { from: number; to: number } => ({
  from: job.sentAt - NEAR_MS,
  to: NEAR_MS + (job.isInDoubt ? job.sentAt + LONGEST_RUN_MS : job.endedAt),
});
