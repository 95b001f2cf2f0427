import { runModel } from '../model/model.ts';
import type { TortureOptions } from './options.ts';

/**
 * The model of the engine, played many thousands of times: orders, lost answers, webhooks, look-ups, cancels, ways out of doubt, caps,
 * kills between any two commits and clocks that jump, in every order that chance finds. `kills` counts the runs here.
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
