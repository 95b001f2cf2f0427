import { t } from '../../../../shared/text/texts.ts';
import { announce, refuseAt } from '../../../app/index.ts';
import { addEdit, type MaskHistory, maskWorker } from '../../../canvas/index.ts';
import { OUTCOME } from '../useImages.ts';

type Change = (change: (history: MaskHistory) => MaskHistory) => void;

/** Fills the area that a place lies in, or empties it. The pixels are found off the main thread. */
export function fillAt(change: Change, at: { x: number; y: number }, op: 'add' | 'subtract'): Promise<void> {
  return fill(change, at, op).catch((cause: unknown) => {
    const reason = cause instanceof Error ? cause.message : String(cause);
    refuseAt(OUTCOME.mask, t`Nothing was filled: ${reason}`);
  });
}

async function fill(change: Change, at: { x: number; y: number }, op: 'add' | 'subtract'): Promise<void> {
  const document = documentOf(change);
  const { runs, isPainted } = await maskWorker.run({ kind: 'flood', document, at });
  // What was painted meanwhile may have closed the area, or opened it.
  if (documentOf(change) !== document) return fill(change, at, op);
  if (runs.length === 0) return;
  if (isPainted === (op === 'add')) return announce(isPainted ? t`Already painted` : t`Nothing painted there`);
  change((history) => addEdit(history, { kind: 'pixels', op, made: 'fill', runs }));
}

function documentOf(change: Change): MaskHistory['document'] {
  let found: MaskHistory['document'] | undefined;
  change((history) => {
    found = history.document;
    return history;
  });
  if (!found) throw new Error('There is no mask.');
  return found;
}
