import type { Clock } from '../../src/main/core/ports.ts';

export interface Figure {
  name: string;
  value: number;
  unit: string;
}

export function print(title: string, figures: Figure[]): void {
  console.log(`\n${title}`);
  for (const { name, value, unit } of figures) {
    const digits = value >= 100 ? 0 : value >= 10 ? 1 : 2;
    console.log(`  ${name.padEnd(58)} ${value.toFixed(digits).padStart(10)} ${unit}`);
  }
}

/** The value below which a share `q` of the samples lies. */
export function quantile(samples: readonly number[], q: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? Number.NaN;
}

export const realClock: Clock = {
  now: Date.now,
  after: (ms, run) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};
