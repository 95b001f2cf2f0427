import { useEffect } from 'react';
import type { Asset } from '../../../shared/asset.ts';
import { MAX_CALL_TEXT } from '../../../shared/callParts.ts';
import { useCall, useStudio } from '../../app/index.ts';
import { historyOfText, type MaskHistory, paintedAfter, textOfHistory } from '../../canvas/index.ts';
import { call } from '../../client/index.ts';
import { useImages } from './useImages.ts';

/** Masks outlive the window: the studio keeps each as it is painted, and the painter opens with what was kept. */

/** As the studio has it, by picture. A mask that was not read is not written over. */
const known = new Map<string, string | undefined>();
const waiting = new Map<string, MaskHistory>();
const writing = new Set<string>();

/** Reads the mask of a picture once a window, and keeps what is painted on it. */
export function useKeptMask(asset: Asset): void {
  const { id } = asset;
  const { data } = useCall('library.maskDraft', known.has(id) ? null : { id });
  useEffect(() => {
    if (data && !known.has(asset.id)) takeUp(asset, data.draft);
  }, [data, asset]);
  const history = useImages(({ masks }) => masks[id]);
  const link = useStudio((state) => state.link);
  // What could not be kept while it was not read, or while the studio was away, is kept then.
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is read lets the mask be kept.
  useEffect(() => {
    if (history && link === 'up') keep(id, history);
  }, [id, history, data, link]);
}

function takeUp({ id, width, height }: Asset, draft: string | undefined): void {
  known.set(id, draft);
  const kept = draft === undefined ? undefined : historyOfText(draft, { width, height });
  if (!kept) return;
  useImages.setState(({ masks }) => {
    const painted = masks[id];
    return { masks: { ...masks, [id]: painted ? paintedAfter(kept, painted) : kept } };
  });
}

function keep(id: string, history: MaskHistory): void {
  waiting.set(id, history);
  if (known.has(id) && !writing.has(id)) void write(id);
}

/** One call at a time, so that the newest is the last. */
async function write(id: string): Promise<void> {
  writing.add(id);
  for (let next = waiting.get(id); next; next = waiting.get(id)) {
    waiting.delete(id);
    const draft = shortText(next);
    // Of one that is too long, the last that was not stays.
    if (draft === known.get(id) || (draft?.length ?? 0) > MAX_CALL_TEXT) continue;
    const answer = await call('library.keepMaskDraft', { id, ...(draft === undefined ? {} : { draft }) });
    if (answer.ok) known.set(id, draft);
  }
  writing.delete(id);
}

/** Without what was undone where that is too long for a call. */
function shortText(history: MaskHistory): string | undefined {
  const text = textOfHistory(history);
  return text && text.length > MAX_CALL_TEXT ? textOfHistory({ ...history, undone: [] }) : text;
}
