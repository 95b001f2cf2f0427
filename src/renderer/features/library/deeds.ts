import { create } from 'zustand';
import type { Verdict } from '../../../shared/job.ts';
import { ok, type Result } from '../../../shared/result.ts';
import { announce } from '../../app/index.ts';
import { call } from '../../client/index.ts';
import { formatBytes, plural, toast } from '../../ui/index.ts';
import { NOT_JUDGED, VERDICT_WORDS } from '../../words/index.ts';
import { idsOf } from './choosing.ts';
import { type AssetChoice, chooseNone } from './state.ts';

/** What is done with all that are chosen, however many they are. */

/** A command about many assets takes so many ids. */
const MOST_AT_ONCE = 1_000;

/** Runs a command for all of them, part by part; the first refusal ends it. */
export async function forEachPart<Data>(
  ids: readonly string[],
  run: (part: string[]) => Promise<Result<Data>>,
): Promise<Result<Data[]>> {
  const done: Data[] = [];
  for (let from = 0; from < ids.length; from += MOST_AT_ONCE) {
    const answer = await run(ids.slice(from, from + MOST_AT_ONCE));
    if (!answer.ok) return answer;
    done.push(answer.data);
  }
  return ok(done);
}

export async function judgeChosen(choice: AssetChoice, verdict: Verdict | null): Promise<Result<unknown>> {
  const ids = await idsOf(choice);
  if (!ids.ok) return ids;
  const answer = await forEachPart(ids.data, (part) => call('library.judge', { ids: part, verdict }));
  if (!answer.ok) return answer;
  const judged = answer.data.reduce((sum, one) => sum + one.judged, 0);
  announce(`${plural(judged, 'take')}: ${verdict === null ? NOT_JUDGED : VERDICT_WORDS[verdict].label}`);
  return answer;
}

/** The export that was begun here last; told of until it is dismissed. */
export const useExportShown = create<{ id: string | undefined }>()(() => ({ id: undefined }));

export const MOST_IN_EXPORT = 1_000;

export async function exportChosen(choice: AssetChoice): Promise<Result<unknown>> {
  const ids = await idsOf(choice);
  if (!ids.ok) return ids;
  const answer = await call('library.export', { ids: ids.data });
  if (answer.ok) {
    useExportShown.setState({ id: answer.data.id });
    announce(`The export of ${plural(ids.data.length, 'file')} has begun.`);
  }
  return answer;
}

export async function starChosen(choice: AssetChoice, starred: boolean): Promise<Result<unknown>> {
  const ids = await idsOf(choice);
  if (!ids.ok) return ids;
  const answer = await forEachPart(ids.data, (part) => call('library.star', { ids: part, starred }));
  if (answer.ok) announce(`${plural(ids.data.length, 'item')} ${starred ? 'starred' : 'no longer starred'}`);
  return answer;
}

interface TagChange {
  add?: string[];
  remove?: string[];
}

export async function tagChosen(choice: AssetChoice, change: TagChange): Promise<Result<unknown>> {
  const ids = await idsOf(choice);
  if (!ids.ok) return ids;
  const answer = await forEachPart(ids.data, (part) => call('library.tag', { ids: part, ...change }));
  const [added] = change.add ?? [];
  if (answer.ok) announce(added === undefined ? `Removed ${change.remove?.[0] ?? ''}` : `Tagged ${added}`);
  return answer;
}

/** What went into the bin last: it can be taken back. */
export const useBinnedLast = create<{ ids: readonly string[] }>()(() => ({ ids: [] }));

const bytesOf = (answers: readonly { bytes: number }[]): string =>
  formatBytes(answers.reduce((sum, { bytes }) => sum + bytes, 0));

export async function binChosen(choice: AssetChoice): Promise<Result<unknown>> {
  const ids = await idsOf(choice);
  if (!ids.ok) return ids;
  const answer = await forEachPart(ids.data, (part) => call('library.bin', { ids: part }));
  if (!answer.ok) return answer;
  useBinnedLast.setState({ ids: ids.data });
  chooseNone();
  const text = `${plural(ids.data.length, 'item')} put into the bin, ${bytesOf(answer.data)}`;
  announce(text);
  toast({ text, action: { label: 'Undo', onAction: () => void undoBin() } });
  return answer;
}

/** Takes back what went into the bin last. */
export async function undoBin(): Promise<void> {
  const { ids } = useBinnedLast.getState();
  if (ids.length === 0) return;
  const answer = await restore(ids);
  if (answer.ok) useBinnedLast.setState({ ids: [] });
  else toast({ kind: 'fail', text: answer.error.message });
}

export async function restoreChosen(choice: AssetChoice): Promise<Result<unknown>> {
  const ids = await idsOf(choice);
  if (!ids.ok) return ids;
  const answer = await restore(ids.data);
  if (answer.ok) chooseNone();
  return answer;
}

async function restore(ids: readonly string[]) {
  const answer = await forEachPart(ids, (part) => call('library.restore', { ids: part }));
  if (answer.ok) announce(`${plural(ids.length, 'item')} put back, ${bytesOf(answer.data)}`);
  return answer;
}
