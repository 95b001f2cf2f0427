/** The options of a part of `npm run torture`. Each part has its own defaults. */
export interface TortureOptions {
  /** The same seed gives the same load and choices; only the machine's timing differs. */
  seed: number;
  /** Kill points per seed. */
  kills: number;
  /** Number of seeds, counting up from `seed`. */
  seeds: number;
  /** A few points instead of all, as run by `npm test`. */
  short: boolean;
}

export type Part = (options?: Partial<TortureOptions>) => Promise<string[]>;

/** Parses `[PART …] [--seed N] [--kills N] [--seeds N] [--short]`; an error is one sentence. */
export function readOptions(
  args: string[],
  known: string[],
): { ok: true; parts: string[]; options: Partial<TortureOptions> } | { ok: false; message: string } {
  const options: Partial<TortureOptions> = {};
  const parts: string[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? '';
    if (arg === '--short') options.short = true;
    else if (arg === '--seed' || arg === '--kills' || arg === '--seeds') {
      const value = Number(args[++at]);
      if (!Number.isInteger(value) || value < 1) return { ok: false, message: `${arg} must be a whole number from 1.` };
      options[arg.slice(2) as 'seed' | 'kills' | 'seeds'] = value;
    } else if (known.includes(arg)) parts.push(arg);
    else return { ok: false, message: `There is no ${arg}; there are ${known.join(', ')}.` };
  }
  return { ok: true, parts, options };
}

/** Repeatable numbers from 0 to 1 (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** With this ceiling the claimers of `claimers.ts` never pause, and end when nothing is left to claim. */
export const NO_CEILING = 2 ** 31 - 1;
