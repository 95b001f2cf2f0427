import { raceMany } from '../model/races.ts';
import type { TortureOptions } from './options.ts';

/** Races between webhooks, polls and all other bearers of an answer. `kills` is the number of schedules per seed. */
const SCHEDULES = 10_000;
const SHORT_SCHEDULES = 100;

export async function run(options: Partial<TortureOptions> = {}): Promise<string[]> {
  const lines: string[] = [];
  const seeds = options.short ? 1 : (options.seeds ?? 1);
  for (let index = 0; index < seeds; index += 1) {
    const seed = (options.seed ?? 1) + index;
    const schedules = options.short ? SHORT_SCHEDULES : (options.kills ?? SCHEDULES);
    const { looks, webhooks, restarts, charged, doubted } = await raceMany({ seed, schedules });
    lines.push(
      `seed ${seed}: ${schedules} schedules, ${webhooks} webhooks, ${looks} look-ups, ${restarts} restarts: ` +
        `${charged} charged in one ledger row each, ${doubted} without an id in doubt, none charged twice, none sent twice`,
    );
  }
  return lines;
}
