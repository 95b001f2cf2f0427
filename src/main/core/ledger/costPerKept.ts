import type { CallInput } from '../../../shared/contract/contract.ts';
import { kindsWhere, makesFiles } from '../../../shared/kinds/index.ts';
import type { KeptRow, NotKept } from '../../../shared/money/costPerKept.ts';
import { type ReadDb, sql } from '../store/index.ts';
import { OF_SIDE, type Period, paramsOf } from './reports.ts';

type GroupBy = CallInput<'spend.kept'>['groupBy'];

/** Expressions over a job, `j`, and its charges of one month, `c`. */
const KEYS: Record<GroupBy, string> = {
  model: "coalesce(j.model, '')",
  project: "coalesce(j.project_id, '')",
  month: 'c.month',
};

/** The jobs of one key that make clips or pictures and share a verdict. */
interface JudgedSums {
  key: string;
  outcome: 'keep' | NotKept;
  isImage: 0 | 1;
  seconds: number;
  images: number;
  nano: number;
  lowNano: number;
  unpriced: number;
}

/**
 * Charges of the period by verdict. The amounts are those of `ledger.totals`; seconds and pictures are the charged ones and count in the
 * month of the charge. Jobs with no price set are counted, and have no share in the price of a second.
 */
const sumsByVerdict = (groupBy: GroupBy) =>
  sql(
    `ledger.kept.${groupBy}`,
    `SELECT ${KEYS[groupBy]} AS key,
       CASE WHEN j.verdict = 'keep' THEN 'keep' WHEN j.state IN ('failed', 'canceled') THEN 'failed' ELSE coalesce(j.verdict, 'none') END AS outcome,
       j.kind IN (SELECT value FROM json_each($imageKinds)) AS isImage,
       total(CASE WHEN c.charged AND j.unpriced = 0 THEN j.quantity ->> '$.seconds' END) AS seconds,
       total(CASE WHEN c.charged AND j.unpriced = 0 THEN j.quantity ->> '$.images' END) AS images,
       total(c.nano) AS nano, total(c.low_nano) AS lowNano, total(c.charged AND j.unpriced > 0) AS unpriced
     FROM (
       SELECT job_id, substr(day, 1, 7) AS month, max(type = 'charge') AS charged, total(settled_nano) AS nano, total(settled_low_nano) AS low_nano
       FROM ledger_entries
       WHERE counted_at >= $from AND counted_at < $to AND ${OF_SIDE} AND kind IN (SELECT value FROM json_each($kinds))
       GROUP BY job_id, month HAVING charged OR nano <> 0) c
     JOIN jobs j ON j.id = c.job_id
     GROUP BY 1, 2, 3`,
  );

const statements: Record<GroupBy, ReturnType<typeof sql>> = {
  model: sumsByVerdict('model'),
  project: sumsByVerdict('project'),
  month: sumsByVerdict('month'),
};

/** All spend of a class per kept second or picture, at the higher and the lower price, rounded up to whole nano-dollars. */
function perKept<N extends 'perKeptSecond' | 'perKeptImage'>(name: N, sums: readonly JudgedSums[], kept: number) {
  if (kept === 0) return {};
  const each = (field: 'nano' | 'lowNano') => Math.ceil(sumOf(sums, field) / kept);
  return { [`${name}Nano`]: each('nano'), [`${name}LowNano`]: each('lowNano') };
}

const sumOf = (sums: readonly JudgedSums[], field: 'seconds' | 'images' | 'nano' | 'lowNano' | 'unpriced'): number =>
  sums.reduce((total, row) => total + row[field], 0);

/** Seconds without floating-point noise. */
const toMillis = (seconds: number): number => Math.round(seconds * 1_000) / 1_000;

function rowOf(key: string, sums: readonly JudgedSums[]): KeptRow {
  const kept = sums.filter(({ outcome }) => outcome === 'keep');
  const images = sums.filter(({ isImage }) => isImage === 1);
  const others = sums.filter(({ isImage }) => isImage === 0);
  const [keptSeconds, keptImages] = [toMillis(sumOf(kept, 'seconds')), sumOf(kept, 'images')];
  const spentNano = sumOf(sums, 'nano');
  const notKept = (['no', 'maybe', 'none', 'failed'] as const).flatMap((verdict) => {
    const of = sums.filter(({ outcome }) => outcome === verdict);
    const figures = { seconds: toMillis(sumOf(of, 'seconds')), images: sumOf(of, 'images'), nano: sumOf(of, 'nano') };
    return Object.values(figures).some((figure) => figure !== 0) ? [{ verdict, ...figures }] : [];
  });
  return {
    key,
    madeSeconds: toMillis(sumOf(sums, 'seconds')),
    madeImages: sumOf(sums, 'images'),
    keptSeconds,
    keptImages,
    spentNano,
    spentLowNano: sumOf(sums, 'lowNano'),
    ...perKept('perKeptSecond', others, keptSeconds),
    ...perKept('perKeptImage', images, keptImages),
    notKeptNano: spentNano - sumOf(kept, 'nano'),
    notKept,
    unpriced: sumOf(sums, 'unpriced'),
  };
}

/**
 * The cost of kept seconds and pictures of one side and period: all spend on clips, or on pictures, for each kept one. At the higher price,
 * without chats; most expensive first, months newest first. Reads every charge of the period.
 */
export function costPerKept(db: ReadDb, groupBy: GroupBy, period: Period): KeptRow[] {
  const { from = 0, to = Number.MAX_SAFE_INTEGER } = period;
  const sums = db.all<JudgedSums>(statements[groupBy], {
    ...paramsOf(period),
    from,
    to,
    kinds: JSON.stringify(kindsWhere(makesFiles)),
    imageKinds: JSON.stringify(kindsWhere(({ makes }) => makes === 'image')),
  });
  const rows = [...Map.groupBy(sums, ({ key }) => key)].map(([key, of]) => rowOf(key, of));
  return groupBy === 'month'
    ? rows.sort((a, b) => (a.key < b.key ? 1 : -1))
    : rows.sort((a, b) => b.spentNano - a.spentNano || (a.key < b.key ? -1 : 1));
}
