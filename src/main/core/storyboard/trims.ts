import type { Shot } from '../../../shared/board/board.ts';
import { type Reason, type Result, refuse } from '../../../shared/contract/result.ts';
import { faultOfTrim, type Trim } from '../../../shared/film/trim.ts';
import { type Job, resultsOf } from '../../../shared/jobs/job.ts';

/** The first trim of a save that is new and does not fit its clip. One that was kept before is kept: a clip may be gone since. */
export function refusalOfTrims(
  known: readonly Shot[],
  saved: readonly Shot[],
  getJob: (id: string) => Result<Job>,
): Result<never> | undefined {
  const before = new Set(known.flatMap(({ trims = [] }) => trims.map(textOf)));
  const faults = saved.flatMap(({ trims = [] }, shot) =>
    trims.flatMap((trim, index) => {
      const fault = before.has(textOf(trim)) ? undefined : faultOf(trim, getJob);
      return fault ? refuse([{ ...fault, field: `shots.${shot}.trims.${index}.${fault.field}` }]) : [];
    }),
  );
  return faults[0];
}

/** A clip whose length is not known is not judged. */
function faultOf(trim: Trim, getJob: (id: string) => Result<Job>): Reason | undefined {
  const job = getJob(trim.take);
  const seconds = job.ok ? resultsOf(job.data)[trim.output ?? 0]?.seconds : undefined;
  return seconds === undefined ? undefined : faultOfTrim(trim, seconds);
}

const textOf = (trim: Trim): string => JSON.stringify(trim);
