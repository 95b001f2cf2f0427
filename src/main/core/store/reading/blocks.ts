import { type ReadDb, type SqlParams, sql } from '../handles.ts';

/**
 * Where a page of a list begins and ends, from the counts per block of numbers in `job_blocks` and `asset_blocks`: rows in front of it are not
 * walked, nor are those between two that match.
 */

/** So many numbers are one block. */
const SIZE = 2 ** 11;

/** Which counts are those of a list. */
export interface BlockSums {
  /** Of the statement. */
  name: string;
  table: string;
  where: string;
  params: SqlParams;
}

/** A page of a list in the order of its numbers: by its place, or behind a number. */
interface BlockPage {
  order: 'asc' | 'desc';
  offset: number;
  limit: number;
  after?: number | undefined;
}

/** What a statement reads a page from. */
export interface PlaceInBlocks {
  /** Stands in front of the table. */
  from: string;
  condition: string;
  params: SqlParams;
  /** So many rows are left to skip. */
  offset: number;
}

interface Block {
  block: number;
  before: number;
}

/** `number`: the column of the numbers. What matches stands in no other block than those which it names. */
export function placeInBlocks(db: ReadDb, sums: BlockSums, page: BlockPage, number: string): PlaceInBlocks {
  const { order, offset, limit, after } = page;
  const beyond = after === undefined ? undefined : Math.floor(after / SIZE);
  const { name, table, where, params } = sums;
  const [isBehind, behind] =
    beyond === undefined ? ['', {}] : [`AND b.block ${order === 'asc' ? '>' : '<'} $beyond`, { beyond }];
  const ofPage = sql(
    name,
    `SELECT block, before FROM (SELECT b.block, sum(b.n) AS n, sum(sum(b.n)) OVER (ORDER BY b.block ${order}) - sum(b.n) AS before
       FROM ${table} b WHERE ${where} ${isBehind} GROUP BY b.block)
     WHERE n > 0 AND before + n > $offset AND before < $end ORDER BY block`,
  );
  const found = db.all<Block>(ofPage, { ...params, ...behind, offset, end: offset + limit });
  const before = found.reduce((least, one) => Math.min(least, one.before), offset);
  const numbers = found.map(({ block }) => block);
  // Its own block may have more of them.
  if (beyond !== undefined) numbers[order === 'asc' ? 'unshift' : 'push'](beyond);
  return { ...within(numbers, number), offset: offset - before };
}

/** Blocks beside each other are read in the order of an index; of others, what is in them is sorted. */
function within(blocks: readonly number[], number: string): Omit<PlaceInBlocks, 'offset'> {
  const [first = 0, last = -1] = [blocks[0], blocks.at(-1)];
  const params: SqlParams = { fromBlock: first * SIZE, toBlock: (last + 1) * SIZE };
  const condition = `${number} >= $fromBlock AND ${number} < $toBlock`;
  if (last - first < 2 * blocks.length) return { from: '', condition, params };
  return {
    from: '(SELECT value AS start FROM json_each($blocks)) held CROSS JOIN ',
    condition: `${number} >= held.start AND ${number} < held.start + ${SIZE}`,
    params: { blocks: JSON.stringify(blocks.map((block) => block * SIZE)) },
  };
}
