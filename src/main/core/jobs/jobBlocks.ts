import type { CallParsed } from '../../../shared/contract/contract.ts';
import { JOB_STATES, type JobState } from '../../../shared/jobs/job.ts';
import type { JobFilter } from '../../../shared/jobs/lists.ts';
import type { BlockSums, SqlParams } from '../store/index.ts';
import { askedIn } from './filter.ts';

/** What is counted by blocks beside the state, each alone. */
const FACETS: Partial<Record<keyof JobFilter, (filter: JobFilter) => readonly string[]>> = {
  kinds: ({ kinds = [] }) => kinds,
  models: ({ models = [] }) => models,
  projectId: ({ projectId = '' }) => [projectId],
  play: ({ play }) => [play ? '1' : '0'],
  verdict: ({ verdict = 'none' }) => [verdict],
};
const NAMES: Readonly<Record<string, string>> = { kinds: 'kind', models: 'model', projectId: 'project' };

/** Open jobs are counted as one: which of these states they are in changes often. */
const OPEN_STATES = ['queued', 'blocked', 'sending', 'running', 'fetching'] as const satisfies JobState[];
const isOpen = (state: string): boolean => (OPEN_STATES as readonly string[]).includes(state);
export const ENDED_STATES = JOB_STATES.filter((state) => !isOpen(state));

/** The sums of blocks that count what matches; undefined where none do. The jobs of an unfinished batch are counted too. */
export function blocksOf(filter: JobFilter): BlockSums | undefined {
  const [by, ...others] = askedIn(filter).filter((name) => name !== 'states');
  const valuesOf = by === undefined ? () => [''] : FACETS[by];
  const { states = [] } = filter;
  if (!valuesOf || others.length > 0 || states.some(isOpen)) return undefined;
  const params: SqlParams = {
    facet: by === undefined ? 'all' : (NAMES[by] ?? by),
    values: JSON.stringify(valuesOf(filter)),
    ended: JSON.stringify(states.length > 0 ? states : ['open', ...ENDED_STATES]),
  };
  const oneOf = (column: string, name: string) => `b.${column} IN (SELECT value FROM json_each($${name}))`;
  return {
    name: 'jobs.blocks',
    table: 'job_blocks',
    where: `b.facet = $facet AND ${oneOf('value', 'values')} AND ${oneOf('ended', 'ended')}`,
    params,
  };
}

type Listed = Pick<CallParsed<'jobs.list'>, 'order' | keyof JobFilter>;

/** Whether sums of blocks lead to any page of it; in the order of the queue those of open jobs are few. */
export const isInBlocks = ({ order, ...filter }: Listed): boolean =>
  blocksOf(order === 'queue' ? { ...filter, states: undefined } : filter) !== undefined;

/** Whether an index has the few jobs among which all that match are: open ones, those in doubt, what waits for another. */
export const isOfFew = ({ states = [], costInDoubt, waitsFor }: Listed): boolean =>
  costInDoubt === true || waitsFor !== undefined || (states.length > 0 && states.every(isOpen));
