import { useEffect } from 'react';
import { create } from 'zustand';
import type { Asset } from '../../../shared/asset.ts';
import { type KeptMask, MAX_MASK_TEXT } from '../../../shared/maskDraft.ts';
import { useStudio } from '../../app/index.ts';
import { beginsWith, historyOfText, type MaskHistory, paintedAfter, textOfHistory } from '../../canvas/index.ts';
import { call } from '../../client/index.ts';
import { useImages } from './useImages.ts';

/** Masks outlive the window: the studio keeps each as it is painted, and the painter opens with what was kept. */

type Picture = Pick<Asset, 'id' | 'width' | 'height'>;

/** As the studio has it, by picture. A mask that was not read, or was painted on in another window since, is not written over. */
const known = new Map<string, KeptMask>();
/** What was sent last where no answer came: the studio may have it. */
const unanswered = new Map<string, string | undefined>();
const reading = new Map<string, Promise<void>>();
/** What is to be kept, by picture: it stays here until the studio has it, whichever picture is on the stage by then. */
const waiting = new Map<string, MaskHistory>();
const writing = new Set<string>();
const useTooLong = create<{ ids: ReadonlySet<string> }>()(() => ({ ids: new Set() }));

/** Whether what was painted last on a picture is too long to be kept. */
export const useIsTooLong = (id: string): boolean => useTooLong(({ ids }) => ids.has(id));

useImages.subscribe(({ masks }, before) => {
  if (masks === before.masks) return;
  for (const [id, history] of Object.entries(masks)) if (history !== before.masks[id]) keep(id, history);
});

useStudio.subscribe(({ link }, before) => {
  if (link === 'up' && before.link !== 'up') for (const id of waiting.keys()) void write(id);
});

/** Reads the mask of a picture once a window. */
export function useKeptMask({ id, width, height }: Asset): void {
  const link = useStudio((state) => state.link);
  useEffect(() => {
    if (link === 'up') void readKeptMask({ id, width, height });
  }, [id, width, height, link]);
}

/** Once a window; what is kept then lies under what was painted here since. */
export function readKeptMask(picture: Picture): Promise<void> {
  const { id } = picture;
  if (known.has(id)) return Promise.resolve();
  const begun =
    reading.get(id) ??
    call('library.maskDraft', { id }).then((answer) => {
      reading.delete(id);
      if (answer.ok) takeUp(picture, answer.data);
    });
  reading.set(id, begun);
  return begun;
}

/** What is kept lies under what was painted here since. */
function takeUp({ id, ...size }: Picture, now: KeptMask): void {
  const before = historyOf(known.get(id), size);
  known.set(id, now);
  const kept = historyOf(now, size);
  if (!kept) return;
  useImages.setState(({ masks }) => {
    const painted = masks[id];
    return { masks: { ...masks, [id]: painted ? paintedAfter(kept, painted, before) : kept } };
  });
}

const historyOf = (kept: KeptMask | undefined, { width, height }: Omit<Picture, 'id'>): MaskHistory | undefined =>
  kept?.draft === undefined ? undefined : historyOfText(kept.draft, { width, height });

function keep(id: string, history: MaskHistory): void {
  waiting.set(id, history);
  void write(id);
}

/** One call at a time, so that the newest is the last. What is refused waits for the next change, or until the studio is back. */
async function write(id: string): Promise<void> {
  if (writing.has(id)) return;
  writing.add(id);
  const { getState } = useStudio;
  for (let next = waiting.get(id); next && getState().link === 'up'; next = waiting.get(id)) {
    const { connection } = getState();
    const isDone = await isKept(id, next);
    // While it was written, more may have been painted, or the studio have come back.
    if (waiting.get(id) !== next) continue;
    if (isDone) waiting.delete(id);
    else if (getState().connection === connection) break;
  }
  writing.delete(id);
}

/** True where the studio has it, or can have no more of it. */
async function isKept(id: string, history: MaskHistory): Promise<boolean> {
  if (!known.has(id)) await readKeptMask({ id, ...history.document });
  const before = known.get(id);
  if (!before) return false;
  // What was kept before lies under it now.
  if (waiting.get(id) !== history) return true;
  const draft = shortText(history);
  const isTooLong = (draft?.length ?? 0) > MAX_MASK_TEXT;
  tellTooLong(id, isTooLong);
  // Of one that is too long, the last that was not stays.
  if (isTooLong || draft === before.draft) return true;
  const sent = draft === undefined ? {} : { draft };
  const answer = await call('library.keepMaskDraft', { id, after: before.turn, ...sent });
  if (answer.ok) known.set(id, { ...sent, ...answer.data });
  else if (answer.error.code !== 'conflict') unanswered.set(id, draft);
  else return (await readAgain({ id, ...history.document })) && isKept(id, history);
  return answer.ok;
}

/** Another window has painted on it; or only the answer to what was sent before was lost. */
async function readAgain(picture: Picture): Promise<boolean> {
  const { id } = picture;
  const answer = await call('library.maskDraft', { id });
  if (!answer.ok) return false;
  const { data } = answer;
  if (unanswered.has(id)) {
    const lost = { draft: unanswered.get(id), turn: data.turn };
    unanswered.delete(id);
    const [sent, now] = [historyOf(lost, picture), historyOf(data, picture)];
    // The studio had it, and another window went on from there.
    if (lost.draft === data.draft || (sent && now && beginsWith(now, sent))) known.set(id, lost);
    if (lost.draft === data.draft) return true;
  }
  takeUp(picture, data);
  return true;
}

function tellTooLong(id: string, isTooLong: boolean): void {
  const { ids } = useTooLong.getState();
  if (ids.has(id) === isTooLong) return;
  const others = [...ids].filter((one) => one !== id);
  useTooLong.setState({ ids: new Set(isTooLong ? [...others, id] : others) });
}

/** Without what was undone where that is too long for a call. */
function shortText(history: MaskHistory): string | undefined {
  const text = textOfHistory(history);
  return text && text.length > MAX_MASK_TEXT ? textOfHistory({ ...history, undone: [] }) : text;
}
