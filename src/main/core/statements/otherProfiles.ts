import { isPlayMoney } from '../../../shared/gateway/profile.ts';
import { billedJobs } from '../jobs/index.ts';
import type { Store } from '../store/index.ts';
import type { OtherJob } from './assign.ts';
import type { BillJob } from './billJobs.ts';
import { namesOf } from './jobIndex.ts';
import type { BillLine } from './readBill.ts';

/** The jobs of other profiles that lines name, by the mark of the line: one account may have several profiles here, and one bill. */
export async function jobsOfOthers(
  store: Pick<Store, 'readAway'>,
  lines: readonly BillLine[],
  { profileId, jobs }: { profileId: string; jobs: readonly BillJob[] },
): Promise<Map<string, OtherJob>> {
  const known = new Set(jobs.flatMap(({ ids, names }) => namesOf(...ids, ...names)));
  const open = new Map<string, string[]>();
  for (const { mark, remoteId, requestKey } of lines) {
    const names = namesOf(remoteId, requestKey);
    if (names.length > 0 && !names.some((name) => known.has(name))) open.set(mark, names);
  }
  if (open.size === 0) return new Map();
  const asked = [...new Set([...open.values()].flat())];
  const named = await store.readAway((db) =>
    billedJobs.namedElsewhere(db, { profileId, play: isPlayMoney(profileId), names: asked }),
  );
  const byName = new Map(named.flatMap(({ name, ...job }) => namesOf(name).map((one) => [one, job])));
  const found = new Map<string, OtherJob>();
  for (const [mark, names] of open) {
    const job = names.map((name) => byName.get(name)).find((one) => one !== undefined);
    if (job) found.set(mark, job);
  }
  return found;
}
