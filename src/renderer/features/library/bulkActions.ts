import { create } from 'zustand';
import { ok, type Result, type StudioError } from '../../../shared/contract/result.ts';
import type { Verdict } from '../../../shared/jobs/job.ts';
import { counted, t } from '../../../shared/text/texts.ts';
import { announce, chosenCount, showOutcome, showRefusal } from '../../app/index.ts';
import { call } from '../../client/index.ts';
import { useExportShown } from '../../media/ExportNote.tsx';
import { formatBytes, plural } from '../../ui/index.ts';
import { NOT_JUDGED, VERDICT_WORDS } from '../../words/index.ts';
import { idsOf } from './choosing.ts';
import { type AssetChoice, chooseNone, OUTCOME, setLibraryView, useLibraryView } from './state.ts';

/** Actions on all selected assets, however many. */

export const MOST_AT_ONCE = 1_000;

interface UnderWay {
  done: number;
  /** 0 while nothing is running. */
  of: number;
}

const NOTHING_UNDER_WAY: UnderWay = { done: 0, of: 0 };

export const useUnderWay = create<UnderWay>()(() => NOTHING_UNDER_WAY);

/** Whether an action takes more than one command and shows its progress. */
export const isLong = ({ of }: UnderWay): boolean => of > MOST_AT_ONCE;

interface Done<Data> {
  ids: string[];
  answers: Data[];
  refused?: { ok: false; error: StudioError };
}

/** Runs a command on all selected assets in parts. The first refusal stops it; finished parts stay done. */
async function forAllChosen<Data>(
  choice: AssetChoice,
  run: (part: string[]) => Promise<Result<Data>>,
): Promise<Done<Data>> {
  useUnderWay.setState({ done: 0, of: chosenCount(choice) });
  try {
    const ids = await idsOf(choice);
    return ids.ok ? await inParts(ids.data, run) : { ids: [], answers: [], refused: ids };
  } finally {
    useUnderWay.setState(NOTHING_UNDER_WAY);
  }
}

async function inParts<Data>(
  ids: readonly string[],
  run: (part: string[]) => Promise<Result<Data>>,
): Promise<Done<Data>> {
  const answers: Data[] = [];
  for (let from = 0; from < ids.length; from += MOST_AT_ONCE) {
    useUnderWay.setState({ done: from, of: ids.length });
    const answer = await run(ids.slice(from, from + MOST_AT_ONCE));
    if (!answer.ok) return { ids: ids.slice(0, from), answers, refused: answer };
    answers.push(answer.data);
  }
  return { ids: [...ids], answers };
}

export async function judgeChosen(choice: AssetChoice, verdict: Verdict | null): Promise<Result<unknown>> {
  const { answers, refused } = await forAllChosen(choice, (ids) => call('library.judge', { ids, verdict }));
  const judged = answers.reduce((sum, one) => sum + one.judged, 0);
  if (judged > 0 || !refused)
    announce(`${plural(judged, 'take')}: ${verdict === null ? NOT_JUDGED : VERDICT_WORDS[verdict]}`);
  return refused ?? ok(judged);
}

export const MOST_IN_EXPORT = 1_000;

export async function exportChosen(choice: AssetChoice): Promise<Result<unknown>> {
  const ids = await idsOf(choice);
  if (!ids.ok) return ids;
  const answer = await call('library.export', { ids: ids.data });
  if (answer.ok) {
    useExportShown.setState({ id: answer.data.id });
  }
  return answer;
}

export async function starChosen(choice: AssetChoice, starred: boolean): Promise<Result<unknown>> {
  const { ids, refused } = await forAllChosen(choice, (part) => call('library.star', { ids: part, starred }));
  if (ids.length > 0)
    announce(starred ? t`${counted(ids.length, 'item')} starred` : t`${counted(ids.length, 'item')} no longer starred`);
  return refused ?? ok(ids.length);
}

interface TagChange {
  add?: string[];
  remove?: string[];
}

export async function tagChosen(choice: AssetChoice, change: TagChange): Promise<Result<unknown>> {
  const { ids, refused } = await forAllChosen(choice, (part) => call('library.tag', { ids: part, ...change }));
  const [added] = change.add ?? [];
  if (!refused) announce(added === undefined ? t`Removed ${change.remove?.[0] ?? ''}` : t`Tagged ${added}`);
  return refused ?? ok(ids.length);
}

/** The files moved to the bin last. They can be restored once they are there (`underWay`). */
export const useBinnedLast = create<{ ids: readonly string[]; underWay?: Promise<unknown> }>()(() => ({ ids: [] }));

/** Files that were deleted for good or restored cannot be restored again. */
export function forgetBinned(gone: readonly string[]): void {
  const all = new Set(gone);
  const left = (ids: readonly string[]) => ids.filter((id) => !all.has(id));
  useBinnedLast.setState((last) => (left(last.ids).length < last.ids.length ? { ids: left(last.ids) } : last));
}

const bytesOf = (answers: readonly { bytes: number }[]): string =>
  formatBytes(answers.reduce((sum, { bytes }) => sum + bytes, 0));

export function binChosen(choice: AssetChoice): Promise<Result<unknown>> {
  const run = putIntoBin(choice);
  useBinnedLast.setState({ underWay: run.catch(() => undefined) });
  return run;
}

async function putIntoBin(choice: AssetChoice): Promise<Result<unknown>> {
  const done = await forAllChosen(choice, (part) => call('library.bin', { ids: part }));
  const { ids, answers, refused } = done;
  if (ids.length > 0) {
    useBinnedLast.setState({ ids });
    forget(choice, done);
    const text = t`${counted(ids.length, 'item')} moved to the bin, ${bytesOf(answers)}`;
    const close = showOutcome(OUTCOME, { text, undo: () => void undoBin() });
    const stop = useBinnedLast.subscribe((last) => {
      if (last.ids === ids) return;
      stop();
      close();
    });
  }
  return refused ?? ok(ids.length);
}

/** Deselects the assets that were handled. After a refusal the rest stays selected, and a selection made meanwhile is not touched. */
function forget(choice: AssetChoice, { ids, refused }: Done<unknown>): void {
  if (useLibraryView.getState().choice !== choice) return;
  const done = new Set(ids);
  if (!refused) chooseNone();
  else if (!choice.all) setLibraryView({ choice: { ids: new Set([...choice.ids].filter((id) => !done.has(id))) } });
}

export async function undoBin(): Promise<void> {
  await useBinnedLast.getState().underWay;
  const { ids } = useBinnedLast.getState();
  if (ids.length === 0) return;
  const { refused } = await restore({ ids: new Set(ids) });
  if (refused) showRefusal(refused.error);
}

export async function restoreChosen(choice: AssetChoice): Promise<Result<unknown>> {
  const done = await restore(choice);
  forget(choice, done);
  return done.refused ?? ok(done.ids.length);
}

async function restore(choice: AssetChoice): Promise<Done<{ bytes: number }>> {
  const done = await forAllChosen(choice, (part) => call('library.restore', { ids: part }));
  forgetBinned(done.ids);
  if (done.ids.length > 0) announce(t`${counted(done.ids.length, 'item')} restored, ${bytesOf(done.answers)}`);
  return done;
}
