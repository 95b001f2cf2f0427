import { promptOf } from '../../../shared/kinds/index.ts';
import type { Asset } from '../../../shared/library/asset.ts';
import { t } from '../../../shared/text/texts.ts';
import { cacheAssets, showOutcome, useEntities } from '../../app/index.ts';
import { addEdit, emptyHistory, type MaskDocument, type MaskHistory, maskWorker } from '../../canvas/index.ts';
import { call } from '../../client/index.ts';
import { readKeptMask } from './keptMasks.ts';
import type { EditFacts } from './model/gallery.ts';
import { OUTCOME, recallWords, useImages } from './useImages.ts';
import { bytesOf } from './useProof.ts';

/**
 * Repeats an edit: opens its picture once the edit's mask is on it, with the edit's prompt. Does nothing if another picture was opened
 * meanwhile (`isWanted`).
 */
export async function paintAgain({ job, baseId, maskId }: EditFacts, isWanted: () => boolean): Promise<boolean> {
  const base = await pictureOf(baseId);
  const masked = base && base.width > 0 ? await maskedWith(base, maskId) : undefined;
  if (!isWanted()) return false;
  masked?.();
  recallWords({ tab: 'edit', editPrompt: promptOf(job.request) ?? '' }, { picture: baseId });
  return true;
}

async function pictureOf(id: string): Promise<Asset | undefined> {
  const known = useEntities.getState().assets.get(id);
  if (known) return known;
  const answer = await call('library.get', { id });
  if (answer.ok) cacheAssets([answer.data]);
  return answer.ok ? answer.data : undefined;
}

/**
 * Puts the mask of an edit onto its picture, as one step. If the mask cannot be read nothing is painted: the prompt does not fit another
 * mask.
 */
async function maskedWith(base: Asset, maskId: string): Promise<() => void> {
  await readKeptMask(base);
  const before = useImages.getState().masks[base.id] ?? emptyHistory(base.width, base.height);
  const [runs, standing] = await Promise.all([runsOfFile(maskId, base), runsOfDocument(before.document)]);
  const step = (history: MaskHistory): MaskHistory => {
    if (runs === undefined) return history.document.strokes.length > 0 ? addEdit(history, { kind: 'clear' }) : history;
    const isThere = history.document === before.document && isSame(runs, standing);
    return isThere ? history : addEdit(history, { kind: 'pixels', op: 'replace', made: 'import', runs });
  };
  return () => {
    useImages.setState(({ masks }) => ({ masks: { ...masks, [base.id]: step(masks[base.id] ?? before) } }));
    if (runs === undefined)
      showOutcome(OUTCOME.mask, {
        text: t`The mask of this edit cannot be read. Undo brings back your mask.`,
        isOpening: true,
      });
  };
}

type Size = { width: number; height: number };

const runsOfFile = (id: string, size: Size): Promise<Int32Array | undefined> =>
  bytesOf(id).then(
    (file) => runsIn(file, size),
    () => undefined,
  );

async function runsOfDocument(document: MaskDocument): Promise<Int32Array | undefined> {
  if (document.strokes.length === 0) return undefined;
  const proving = maskWorker.run({ kind: 'prove', document, source: document });
  return proving.then(
    ({ file }) => runsIn(file, document),
    () => undefined,
  );
}

const runsIn = (picture: Blob, { width, height }: Size): Promise<Int32Array | undefined> =>
  maskWorker
    .run({
      kind: 'import',
      picture,
      size: { width, height },
      fit: false,
      reading: { from: 'luminance', threshold: 128, invert: false },
    })
    .then(
      ({ mask }) => mask?.runs,
      () => undefined,
    );

const isSame = (one: Int32Array, other: Int32Array | undefined): boolean =>
  one.length === other?.length && one.every((value, at) => value === other[at]);
