import fc from 'fast-check';
import { type Sql, sql, type WriteDb } from '../../src/main/core/store/index.ts';

/** Random inserts, updates and deletes of table rows, to test that derived tables follow. */

type Values = Record<string, string | number | null>;
interface Change {
  type: 'add' | 'change' | 'remove';
  seq?: number;
  at?: number;
  values?: Values;
}

/** One of the values, or null. */
export const noneOr = (...values: string[]): fc.Arbitrary<string | null> => fc.constantFrom(null, ...values);

/** Row numbers fall into a few of a hundred blocks, as those of rare values do. */
export function rowChanges(values: fc.Arbitrary<Values>): fc.Arbitrary<Change[]> {
  const change = fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({ type: fc.constant('add' as const), seq: fc.integer({ min: 1, max: 200_000 }), values }),
    },
    { weight: 4, arbitrary: fc.record({ type: fc.constant('change' as const), at: fc.nat(), values }) },
    { weight: 1, arbitrary: fc.record({ type: fc.constant('remove' as const), at: fc.nat() }) },
  );
  return fc.array(change, { maxLength: 60 });
}

/** `insert` takes `$seq`, `$id` and the values, `update` `$seq` and the values. */
export function changeRows(
  db: WriteDb,
  changes: readonly Change[],
  { table, insert, update }: { table: 'jobs' | 'assets'; insert: Sql; update: Sql },
): void {
  const remove = sql('test.remove', `DELETE FROM ${table} WHERE seq = $seq`);
  const seqs: number[] = [];
  for (const { type, seq = 0, at = 0, values } of changes) {
    const of = seqs[at % Math.max(1, seqs.length)];
    if (type === 'add' && !seqs.includes(seq)) {
      db.run(insert, { seq, id: `row${seq}`, ...values });
      seqs.push(seq);
    } else if (type === 'change' && of !== undefined) db.run(update, { seq: of, ...values });
    else if (type === 'remove' && of !== undefined) db.run(remove, { seq: seqs.splice(seqs.indexOf(of), 1)[0] ?? 0 });
  }
}
