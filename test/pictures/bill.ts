import type { Sandbox } from '../../src/main/sandbox/index.ts';

type Entry = ReturnType<Sandbox['bill']>['entries'][number];

/** A gateway's bill as a table with typical deviations: an unknown charge, a different amount, a missing line. */
export function billOf(entries: readonly Entry[]): string {
  const [first, ...others] = entries;
  if (!first) throw new Error('Nothing was billed yet.');
  const told = others.map((entry, index) => (index === 4 ? { ...entry, nano: entry.nano * 2 } : entry));
  const foreign = { ...first, id: 'op-elsewhere-7f21', model: 'video-pro', nano: 8_000_000_000 };
  const rows = [...told, foreign].map(({ at, id, model, nano }) => [at, id, model, (nano / 1e9).toFixed(9)].join(','));
  return ['started_at,operation,model,amount_usd', ...rows].join('\n');
}
