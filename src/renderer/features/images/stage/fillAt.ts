import { t } from '../../../../shared/texts.ts';
import { announce } from '../../../app/index.ts';
import { addEdit, type MaskHistory } from '../../../canvas/index.ts';
import { worker } from '../useProof.ts';

type Change = (change: (history: MaskHistory) => MaskHistory) => void;

/** Fills the area that a place lies in, or empties it. The pixels are found off the main thread; a mask that changed meanwhile stays as it is. */
export async function fillAt(change: Change, at: { x: number; y: number }, op: 'add' | 'subtract'): Promise<void> {
  const document = documentOf(change);
  const { runs, isPainted } = await worker().run({ kind: 'flood', document, at });
  if (runs.length === 0) return;
  if (isPainted === (op === 'add')) return announce(isPainted ? t`It is painted already` : t`Nothing is painted there`);
  change((history) =>
    history.document === document ? addEdit(history, { kind: 'pixels', op, made: 'fill', runs }) : history,
  );
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
