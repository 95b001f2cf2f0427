import { useEffect } from 'react';
import { create } from 'zustand';
import type { Asset } from '../../../shared/library/asset.ts';
import { type KeptMask, MAX_MASK_TEXT } from '../../../shared/library/maskDraft.ts';
import { useStudio } from '../../app/index.ts';
import { beginsWith, historyOfText, type MaskHistory, paintedAfter, textOfHistory } from '../../canvas/index.ts';
import { call } from '../../client/index.ts';
import { useImages } from './useImages.ts';

/** Masks outlive the window: the studio stores each mask as it is painted, and the painter opens with the stored one. */

type Picture = Pick<Asset, 'id' | 'width' | 'height'>;

interface Mask {
  /**
   * The stored mask as last read from the studio. A mask that was never read, or that another window has changed since, is not overwritten.
   */
  known?: KeptMask;
  /** The last write without an answer; the studio may have it. */
  unanswered?: { draft: string | undefined } | undefined;
  reading?: Promise<void> | undefined;
  /** The mask to store. It stays here until the studio has it, whichever picture is open by then. */
  waiting?: MaskHistory | undefined;
  isWriting?: boolean;
}

const masks = new Map<string, Mask>();

function maskOf(id: string): Mask {
  const mask = masks.get(id) ?? {};
  masks.set(id, mask);
  return mask;
}

const useTooLong = create<Readonly<Record<string, boolean>>>()(() => ({}));

export const useIsTooLong = (id: string): boolean => useTooLong((all) => all[id] ?? false);

useImages.subscribe(({ masks }, before) => {
  if (masks === before.masks) return;
  for (const [id, history] of Object.entries(masks)) if (history !== before.masks[id]) keep(id, history);
});

useStudio.subscribe(({ link }, before) => {
  if (link === 'up' && before.link !== 'up') for (const id of masks.keys()) void write(id);
});

export function useKeptMask({ id, width, height }: Asset): void {
  const link = useStudio((state) => state.link);
  useEffect(() => {
    if (link === 'up') void readKeptMask({ id, width, height });
  }, [id, width, height, link]);
}

/** Once per window. A stored mask is placed below the edits made here since. */
export function readKeptMask(picture: Picture): Promise<void> {
  const { id } = picture;
  const mask = maskOf(id);
  if (mask.known) return Promise.resolve();
  mask.reading ??= call('library.maskDraft', { id }).then((answer) => {
    mask.reading = undefined;
    if (answer.ok) takeUp(picture, answer.data);
  });
  return mask.reading;
}

/** Places the stored mask below the edits made here since. */
function takeUp({ id, ...size }: Picture, now: KeptMask): void {
  const mask = maskOf(id);
  const before = historyOf(mask.known, size);
  mask.known = now;
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
  maskOf(id).waiting = history;
  void write(id);
}

/**
 * One call at a time, so that the newest mask is written last. After a refusal, the next change or the return of the studio tries again.
 */
async function write(id: string): Promise<void> {
  const mask = maskOf(id);
  if (mask.isWriting) return;
  mask.isWriting = true;
  const { getState } = useStudio;
  for (let next = mask.waiting; next && getState().link === 'up'; next = mask.waiting) {
    const { connection } = getState();
    const isDone = await isKept(id, next);
    // Meanwhile more may have been painted, or the studio may have come back.
    if (mask.waiting !== next) continue;
    if (isDone) mask.waiting = undefined;
    else if (getState().connection === connection) break;
  }
  mask.isWriting = false;
}

/** True once the studio has the mask, or cannot take more of it. */
async function isKept(id: string, history: MaskHistory): Promise<boolean> {
  const mask = maskOf(id);
  if (!mask.known) await readKeptMask({ id, ...history.document });
  const before = mask.known;
  if (!before) return false;
  // The stored mask was placed below this one while reading.
  if (mask.waiting !== history) return true;
  const draft = shortText(history);
  const isTooLong = (draft?.length ?? 0) > MAX_MASK_TEXT;
  useTooLong.setState({ [id]: isTooLong });
  // Of a mask that is too long, the last shorter version stays stored.
  if (isTooLong || draft === before.draft) return true;
  const sent = draft === undefined ? {} : { draft };
  const answer = await call('library.keepMaskDraft', { id, after: before.turn, ...sent });
  if (answer.ok) mask.known = { ...sent, ...answer.data };
  else if (answer.error.code !== 'conflict') mask.unanswered = { draft };
  else return (await readAgain({ id, ...history.document })) && isKept(id, history);
  return answer.ok;
}

/** Another window has changed the mask, or only the answer to the last write was lost. */
async function readAgain(picture: Picture): Promise<boolean> {
  const mask = maskOf(picture.id);
  const answer = await call('library.maskDraft', { id: picture.id });
  if (!answer.ok) return false;
  const { data } = answer;
  if (mask.unanswered) {
    const lost = { ...mask.unanswered, turn: data.turn };
    mask.unanswered = undefined;
    const [sent, now] = [historyOf(lost, picture), historyOf(data, picture)];
    // The studio has the lost write, and another window continued from there.
    if (lost.draft === data.draft || (sent && now && beginsWith(now, sent))) mask.known = lost;
    if (lost.draft === data.draft) return true;
  }
  takeUp(picture, data);
  return true;
}

/** Leaves out the undone edits if the text is too long for a call. */
function shortText(history: MaskHistory): string | undefined {
  const text = textOfHistory(history);
  return text && text.length > MAX_MASK_TEXT ? textOfHistory({ ...history, undone: [] }) : text;
}
