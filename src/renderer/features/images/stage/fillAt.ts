import { t } from '../../../../shared/text/texts.ts';
import { announce, refuseAt } from '../../../app/index.ts';
import { addEdit, type MaskHistory, maskWorker } from '../../../canvas/index.ts';
import { OUTCOME } from '../useImages.ts';

type Change = (change: (history: MaskHistory) => MaskHistory) => void;

/** Fills or clears the area around a point. The pixels are found off the main thread. */
export function fillAt(change: Change, at: { x: number; y: number }, op: 'add' | 'subtract'): Promise<void> {
  return fill(change, at, op).catch((cause: unknown) => {
    const reason = cause instanceof Error ? cause.message : String(cause);
    refuseAt(OUTCOME.mask, t`Nothing was filled: ${reason}`);
  });
}

async function fill(change: Change, at: { x: number; y: number }, op: 'add' | 'subtract'): Promise<void> {
  const document = documentOf(change);
  const { runs, isPainted } = await maskWorker.run({ kind: 'flood', document, at });
  // Paint added meanwhile may have closed or opened the area.
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
