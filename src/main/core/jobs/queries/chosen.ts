import { fail, ok, type Result } from '../../../../shared/contract/result.ts';
import type { ChosenFigures, ChosenJobs } from '../../../../shared/jobs/queueCalls.ts';
import { t } from '../../../../shared/text/texts.ts';
import { type ReadDb, type SqlParams, sql } from '../../store/index.ts';
import { conditionsOf, ofWholeProjects } from './filter.ts';

/** The jobs that a call about many names, by their ids or by a rule; read by one statement, however many they are. */

const WAITING = `state IN ('queued', 'blocked')`;
const CANCELABLE = `state IN ('queued', 'blocked', 'sending', 'running')`;
/** Of those that can be canceled: at the gateway, or sent again knowingly after an answer was lost, which may be billed as well. */
const MAY_BE_BILLED = `state IN ('sending', 'running') OR (${WAITING} AND (uncertain_nano > 0 OR unpriced_doubt > 0))`;
/** One that was requested again is not requested a second time with many others: the job that was made from it stands for it. */
const ENDED = `state IN ('failed', 'canceled') AND retried_as IS NULL`;
const OPEN = `NOT IN ('succeeded', 'failed', 'canceled')`;

interface Condition {
  where: string;
  params: SqlParams;
}

function conditionOf(db: ReadDb, { ids, filter, except }: ChosenJobs): Condition {
  const rule = filter ? ofWholeProjects(db, conditionsOf(filter)) : { where: '1', params: {} };
  const listed =
    ids === undefined ? [] : [['id IN (SELECT value FROM json_each($chosenIds))', 'chosenIds', ids] as const];
  const left =
    except === undefined ? [] : [['id NOT IN (SELECT value FROM json_each($exceptIds))', 'exceptIds', except] as const];
  const lists = [...listed, ...left];
  return {
    where: [rule.where, ...lists.map(([where]) => where)].join(' AND '),
    params: { ...rule.params, ...Object.fromEntries(lists.map(([, name, value]) => [name, JSON.stringify(value)])) },
  };
}

/** The error if one of the ids is of no job. */
export function unknownId(db: ReadDb, { ids }: ChosenJobs): Result<never> | undefined {
  if (!ids) return undefined;
  const known = sql('jobs.knownIds', 'SELECT id FROM jobs WHERE id IN (SELECT value FROM json_each($ids))');
  const found = new Set(db.all<{ id: string }>(known, { ids: JSON.stringify(ids) }).map(({ id }) => id));
  const index = ids.findIndex((id) => !found.has(id));
  const field = `ids.${index}`;
  return index < 0 ? undefined : fail('not_found', `${field}: there is no such job.`, { field });
}

const GROUPS = { waiting: WAITING, cancelable: CANCELABLE, ended: ENDED };

/** The ids of the chosen jobs in one group of states, in the order of the queue; ended ones in the order in which they were made. */
export function chosenIds(db: ReadDb, chosen: ChosenJobs, group: keyof typeof GROUPS): Result<string[]> {
  const unknown = unknownId(db, chosen);
  if (unknown) return unknown;
  const { where, params } = conditionOf(db, chosen);
  const order = group === 'ended' ? 'seq' : 'position, seq';
  const read = sql('jobs.chosenIds', `SELECT id FROM jobs WHERE ${where} AND ${GROUPS[group]} ORDER BY ${order}`);
  return ok(db.all<{ id: string }>(read, params).map(({ id }) => id));
}

/** Those of them that wait, in the same order. */
export function stillWaiting(db: ReadDb, ids: string[]): string[] {
  const read = sql(
    'jobs.stillWaiting',
    `SELECT jobs.id FROM json_each($ids) AS ids CROSS JOIN jobs ON jobs.id = ids.value WHERE ${WAITING} ORDER BY ids.key`,
  );
  return db.all<{ id: string }>(read, { ids: JSON.stringify(ids) }).map(({ id }) => id);
}

interface Sums {
  count: number;
  waiting: number;
  inNight: number;
  cancelable: number;
  sent: number;
  ended: number;
  plays: number;
  reservedNano: number;
  estimateNano: number;
  lowNano: number;
  unpriced: number;
}

function sumsOf(db: ReadDb, { where, params }: Condition): Sums | undefined {
  const sums = sql(
    'jobs.chosenSums',
    `SELECT count(*) AS count, total(${WAITING}) AS waiting, total(${WAITING} AND run_id IS NOT NULL) AS inNight,
       total(${CANCELABLE}) AS cancelable, total(${MAY_BE_BILLED}) AS sent, total(${ENDED}) AS ended,
       total(play) AS plays, total(CASE WHEN ${WAITING} THEN reserved_nano END) AS reservedNano,
       total(CASE WHEN ${WAITING} AND price <> 'null' THEN estimate_nano END) AS estimateNano,
       total(CASE WHEN ${WAITING} AND price <> 'null' THEN estimate_low_nano END) AS lowNano,
       total(${WAITING} AND price = 'null') AS unpriced
     FROM jobs WHERE ${where}`,
  );
  return db.one<Sums>(sums, params);
}

/** How many of these jobs wait, and the price of those that do. */
export function waitingOf(db: ReadDb, ids: string[]): Pick<ChosenFigures, 'waiting' | 'bothSides' | 'waitingPrice'> {
  const sums = sumsOf(db, conditionOf(db, { ids }));
  const { count = 0, waiting = 0, plays = 0, estimateNano = 0, lowNano = 0, unpriced = 0 } = sums ?? {};
  return { waiting, bothSides: plays > 0 && plays < count, waitingPrice: { estimateNano, lowNano, unpriced } };
}

/** How many they are, what can be done with them, and the money of it. */
export function figuresOf(db: ReadDb, chosen: ChosenJobs): Result<ChosenFigures> {
  const unknown = unknownId(db, chosen);
  if (unknown) return unknown;
  const condition = conditionOf(db, chosen);
  const { where, params } = condition;
  const behind = sql(
    'jobs.chosenDependents',
    `WITH RECURSIVE chosen (id) AS (SELECT id FROM jobs WHERE ${where} AND ${CANCELABLE}),
       behind (id) AS (
         SELECT job_id FROM chosen JOIN job_deps ON on_id = chosen.id JOIN jobs ON jobs.id = job_id WHERE jobs.state ${OPEN}
         UNION SELECT job_id FROM behind JOIN job_deps ON on_id = behind.id JOIN jobs ON jobs.id = job_id WHERE jobs.state ${OPEN})
     SELECT count(*) AS dependents, total(reserved_nano) AS reservedNano FROM jobs
     WHERE id IN (SELECT id FROM behind) AND id NOT IN (SELECT id FROM chosen)`,
  );
  const all = sumsOf(db, condition);
  if (!all) return fail('internal', t`The jobs could not be counted.`);
  const others = db.one<{ dependents: number; reservedNano: number }>(behind, params);
  const { plays, reservedNano, estimateNano, lowNano, unpriced, ...counts } = all;
  const bothSides = plays > 0 && plays < all.count;
  return ok({
    ...counts,
    dependents: others?.dependents ?? 0,
    bothSides,
    play: plays > 0,
    givenBackNano: bothSides ? 0 : reservedNano + (others?.reservedNano ?? 0),
    waitingPrice: bothSides ? { estimateNano: 0, lowNano: 0, unpriced: 0 } : { estimateNano, lowNano, unpriced },
  });
}
