import type { MouseEvent } from 'react';
import type { Job, JobState } from '../../../shared/job.ts';
import { counted, t } from '../../../shared/texts.ts';
import { announce, chosenCount, NOTHING_CHOSEN, withAlso } from '../../app/index.ts';
import { call } from '../../client/index.ts';
import { toast } from '../../ui/index.ts';
import { type Group, rowAt, rowOf } from './rows.ts';
import { goToJob, selectJob, toggleJob, useQueueView } from './state.ts';

/** How a key or a click goes to a job: it alone, from where the range began up to it, or leaving what is chosen as it is. */
export type Step = 'only' | 'range' | 'go';

export function step(groups: readonly Group[], id: string, how: Step): void {
  if (how === 'only') selectJob(id);
  else if (how === 'go') goToJob(id);
  else void chooseUpTo(groups, id);
}

/** A click chooses a job, with Ctrl one more or one less, with Shift all up to it. */
export function pick(groups: readonly Group[], event: MouseEvent, id: string): void {
  if (event.shiftKey) void chooseUpTo(groups, id);
  else if (event.ctrlKey || event.metaKey) toggleJob(id);
  else selectJob(id);
}

/** The rule of the view, not its jobs: also what has not been read is meant. */
export function chooseAll(groups: readonly Group[]): void {
  const [first] = groups;
  if (!first) return;
  const states = groups.flatMap(({ filter }) => filter.states ?? []) as JobState[];
  const total = groups.reduce((sum, { list }) => sum + list.total, 0);
  useQueueView.setState({
    choice: { ids: new Set(), all: { filter: { ...first.filter, states }, except: new Set(), total } },
  });
  announce(t`${counted(total, 'job')} chosen`);
}

/** A call about many jobs takes so many ids. */
const MOST_IDS = 10_000;

async function chooseUpTo(groups: readonly Group[], id: string): Promise<void> {
  goToJob(id);
  const { anchorId = id } = useQueueView.getState();
  const ends = [rowOf(groups, anchorId), rowOf(groups, id)];
  const [from = 0, to = from] = ends.map((row) => row ?? 0).sort((a, b) => a - b);
  if (to - from >= MOST_IDS)
    return void toast({ kind: 'fail', text: t`At most 10,000 jobs can be chosen one by one.` });
  const ids = await idsBetween(groups, from, to);
  // Another key or click was faster.
  if (useQueueView.getState().selectedId !== id) return;
  const choice = withAlso(NOTHING_CHOSEN, ids);
  useQueueView.setState({ choice });
  announce(t`${counted(chosenCount(choice), 'job')} chosen`);
}

/** The jobs on these lines; those that have not been read are asked for. */
async function idsBetween(groups: readonly Group[], from: number, to: number): Promise<string[]> {
  const ids: string[] = [];
  const missing = new Map<Group, number[]>();
  for (let line = from; line <= to; line++) {
    const row = rowAt(groups, line);
    if (row?.type !== 'job') continue;
    if (row.id === undefined) missing.set(row.group, [...(missing.get(row.group) ?? []), row.index]);
    else ids.push(row.id);
  }
  for (const [group, lines] of missing) ids.push(...(await read(group, lines)));
  return ids;
}

const PER_READING = 500;

async function read({ filter, order }: Group, lines: readonly number[]): Promise<string[]> {
  const first = Math.min(...lines);
  const end = Math.max(...lines) + 1;
  const found: Job[] = [];
  for (let offset = first; offset < end; offset += PER_READING) {
    const answer = await call('jobs.list', {
      ...filter,
      ...(order && { order }),
      offset,
      limit: Math.min(PER_READING, end - offset),
    });
    if (answer.ok) found.push(...answer.data.jobs);
  }
  return found.map(({ id }) => id);
}
