import { runModel } from '../model/model.ts';
import type { TortureOptions } from './options.ts';

/**
 * Thousands of random runs of the engine's model: requests, lost replies, webhooks, look-ups, cancels, decisions about unconfirmed jobs,
 * budgets, kills between any two commits and clock jumps, in random order. `kills`: the number of runs.
 */
const RUNS = 5_000;
const SHORT_RUNS = 60;

export async function run(options: Partial<TortureOptions> = {}): Promise<string[]> {
  const lines: string[] = [];
  const seeds = options.short ? 1 : (options.seeds ?? 1);
  for (let index = 0; index < seeds; index += 1) {
    const seed = (options.seed ?? 1) + index;
    const runs = options.short ? SHORT_RUNS : (options.kills ?? RUNS);
    const { steps, jobs, sends, lives, doubts } = await runModel({ seed, runs });
    lines.push(
      `seed ${seed}: ${runs} runs, ${steps} steps, ${jobs} jobs, ${sends} orders sent, ${lives - runs} kills, ${doubts} doubts: ` +
        'nothing lost, nothing doubled, money conserved, terminal final, caps held',
    );
  }
  return lines;
}
