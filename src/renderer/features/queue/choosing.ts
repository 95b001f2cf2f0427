import type { MouseEvent } from 'react';
import type { JobState } from '../../../shared/job.ts';
import { ok, type Result } from '../../../shared/result.ts';
import { counted, t } from '../../../shared/texts.ts';
import { announce, chosenCount, idsBetween, NOTHING_CHOSEN, refuseAt, withAlso } from '../../app/index.ts';
import { call } from '../../client/index.ts';
import { type Group, rowOf, spansOf } from './rows.ts';
import { goToJob, OUTCOME, selectJob, toggleJob, useQueueView } from './state.ts';

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
  const ends = [anchorId, id].map((one) => ({ at: rowOf(groups, one) ?? 0, id: one })).sort((a, b) => a.at - b.at);
  const [first = { at: 0, id }, last = first] = ends;
  if (last.at - first.at >= MOST_IDS) return tellTooMany();
  const ids: string[] = [];
  let refusal: string | undefined;
  for (const { group, ...span } of spansOf(groups, first, last)) {
    const between = await idsBetween(group.list, readIds(group), span);
    if (between.ok) ids.push(...between.data);
    else refusal ??= between.error.message;
  }
  // Another key or click was faster.
  if (useQueueView.getState().selectedId !== id) return;
  if (refusal !== undefined) return refuseAt(OUTCOME, refusal);
  if (ids.length > MOST_IDS) return tellTooMany();
  const choice = withAlso(NOTHING_CHOSEN, ids);
  useQueueView.setState({ choice });
  announce(t`${counted(chosenCount(choice), 'job')} chosen`);
}

const tellTooMany = (): void => refuseAt(OUTCOME, t`At most 10,000 jobs can be chosen one by one.`);

const readIds =
  ({ filter, order }: Group) =>
  async (offset: number, limit: number): Promise<Result<string[]>> => {
    const answer = await call('jobs.list', { ...filter, ...(order && { order }), offset, limit });
    return answer.ok ? ok(answer.data.jobs.map(({ id }) => id)) : answer;
  };
