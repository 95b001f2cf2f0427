import type { DryRun, DryRunJob, NightReport } from '../../../../shared/jobs/night.ts';

/** One job in the drawing of a run: planned, running or done. */
export interface Bar {
  jobId: string;
  from: number;
  to: number;
  look: 'plan' | 'live' | 'done' | 'lost';
}

/** Jobs in the same slot of a lane, one after the other. */
export interface BarRow {
  key: string;
  /** `Video 1` */
  name: string;
  note: string;
  bars: Bar[];
}

type Sent = NightReport['sent'][number];

const LOOKS: Record<string, Bar['look']> = {
  sending: 'live',
  running: 'live',
  fetching: 'live',
  succeeded: 'done',
};

/** The rows of a run: sent jobs where they ran, then the planned ones. */
export function rowsOf(
  dry: DryRun | undefined,
  sent: readonly Sent[],
  now: number,
  notesOf: (lane: string) => readonly string[],
): BarRow[] {
  const names = new Map((dry?.lanes ?? []).map(({ lane, name, atOnce }) => [lane, { name, atOnce }]));
  for (const { lane } of sent)
    if (!names.has(lane)) names.set(lane, { name: lane.split(':')[0] ?? lane, atOnce: Number.POSITIVE_INFINITY });
  return [...names].flatMap(([lane, { name, atOnce }]) => {
    const done = placed(
      sent.filter((job) => job.lane === lane),
      now,
    );
    const planned = fitsOf(dry).filter((job) => job.lane === lane);
    const highest = Math.max(0, ...done.map(({ slot }) => slot), ...planned.map(({ slot }) => slot));
    const count = Math.min(Math.max(1, Math.min(atOnce, highest + 1)), MOST_ROWS);
    return Array.from(
      { length: count },
      (_, slot): BarRow => ({
        key: `${lane} ${slot}`,
        name: `${titled(name)}${count > 1 ? ` ${slot + 1}` : ''}`,
        note: notesOf(lane)[slot] ?? '',
        bars: [
          ...done.filter((job) => job.slot % count === slot).map(({ bar }) => bar),
          ...planned
            .filter((job) => job.slot % count === slot)
            .map(({ jobId, startsAt, endsAt }): Bar => ({ jobId, from: startsAt, to: endsAt, look: 'plan' })),
        ],
      }),
    );
  });
}

/** Including the jobs that would be added, which have no id. */
const fitsOf = (dry: DryRun | undefined): DryRunJob[] => [
  ...(dry?.fits ?? []),
  ...(dry?.added?.fits ?? []).map((job, n) => ({ ...job, jobId: `added ${n}` })),
];

/** More slots than this share a row, so that the drawing stays small. */
const MOST_ROWS = 4;

const titled = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

/** Gives each job the first slot that was free when it was sent. */
function placed(jobs: readonly Sent[], now: number): { slot: number; bar: Bar }[] {
  const free: number[] = [];
  return jobs.map(({ jobId, startsAt, endsAt, state }) => {
    const look = LOOKS[state] ?? 'lost';
    const to = endsAt ?? (look === 'live' ? now : startsAt);
    const found = free.findIndex((until) => until <= startsAt);
    const slot = found < 0 ? free.length : found;
    free[slot] = to;
    return { slot, bar: { jobId, from: startsAt, to, look } };
  });
}
