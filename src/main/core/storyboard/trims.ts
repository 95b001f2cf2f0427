import type { Shot } from '../../../shared/board.ts';
import { type Job, resultsOf } from '../../../shared/job.ts';
import { fail, type Result } from '../../../shared/result.ts';
import { faultOfTrim, type Trim } from '../../../shared/trim.ts';

/** The first trim of a save that is new and does not fit its clip. One that was kept before is kept: a clip may be gone since. */
export function refusalOfTrims(
  known: readonly Shot[],
  saved: readonly Shot[],
  getJob: (id: string) => Result<Job>,
): Result<never> | undefined {
  const before = new Set(known.flatMap(({ trims = [] }) => trims.map(textOf)));
  for (const [shot, { trims = [] }] of saved.entries()) {
    for (const [index, trim] of trims.entries()) {
      const job = before.has(textOf(trim)) ? undefined : getJob(trim.take);
      const seconds = job?.ok ? resultsOf(job.data)[trim.output ?? 0]?.seconds : undefined;
      const fault = seconds === undefined ? undefined : faultOfTrim(trim, seconds);
      if (!fault) continue;
      const field = `shots.${shot}.trims.${index}.${fault.field}`;
      return fail('invalid_input', `${field}: ${fault.message}.`, { field });
    }
  }
  return undefined;
}

const textOf = (trim: Trim): string => JSON.stringify(trim);
