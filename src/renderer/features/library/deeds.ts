import { create } from 'zustand';
import type { Verdict } from '../../../shared/job.ts';
import { ok, type Result } from '../../../shared/result.ts';
import { announce } from '../../app/index.ts';
import { call } from '../../client/index.ts';
import { plural } from '../../ui/index.ts';
import { NOT_JUDGED, VERDICT_WORDS } from '../../words/index.ts';
import { idsOf } from './choosing.ts';
import type { AssetChoice } from './state.ts';

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
