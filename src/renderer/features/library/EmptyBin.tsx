import type { Emptied, KeptReason } from '../../../shared/library/assetMarks.ts';
import { counted, t } from '../../../shared/text/texts.ts';
import { showOutcome, useAction, useCall } from '../../app/index.ts';
import { call } from '../../client/index.ts';
import { Dialog, DialogActions, formatBytes, formatCount, Refusal } from '../../ui/index.ts';
import { forgetBinned, useBinnedLast } from './bulkActions.ts';
import { chooseNone, OUTCOME, useLibraryView } from './state.ts';

interface WhichBinned {
  ids?: string[];
}

interface EmptyBinProps extends WhichBinned {
  onClose: () => void;
}

/** Shown before anything is deleted for good: how much is deleted, what stays and why. */
export function EmptyBinDialog({ ids, onClose }: EmptyBinProps) {
  const which: WhichBinned = ids ? { ids } : {};
  const { refusal, run, isBusy } = useAction();
  // Not read while the bin is being emptied, since the files are disappearing from it.
  const figures = useCall('library.binFigures', isBusy ? null : which, { on: ['asset.changed'] });
  const { data, error, stale, outdated } = figures;
  const isFresh = data !== undefined && !stale && !outdated;
  const remove = async () => {
    const { choice } = useLibraryView.getState();
    const inIt = ids ?? useBinnedLast.getState().ids;
    const answer = await run(call('library.emptyBin', which));
    if (!answer.ok) return;
    forgetBinned(inIt);
    tell(answer.data);
    if (useLibraryView.getState().choice === choice) chooseNone();
    onClose();
  };
  const said = refusal ?? error?.message;
  const items = data?.items ?? 0;
  return (
    <Dialog
      open
      onClose={onClose}
      title={ids ? t`Delete ${counted(ids.length, 'item')} for good?` : t`Empty the bin?`}
      footer={
        <DialogActions
          onClose={onClose}
          variant="danger"
          busy={isBusy}
          off={isBusy ? undefined : whyNot(isFresh, items)}
          onClick={() => void remove()}
        >
          {t`Delete ${formatCount(items)} for good`}
        </DialogActions>
      }
    >
      <div className="col gap-s">
        {data ? <WhatGoes {...data} /> : !said && <p className="t2">{BEING_READ}</p>}
        <Refusal text={said} />
      </div>
    </Dialog>
  );
}

const BEING_READ = t`Loading`;

function whyNot(isFresh: boolean, items: number): string | undefined {
  if (!isFresh) return BEING_READ;
  return items === 0 ? t`Nothing can be deleted: everything is still used.` : undefined;
}

function WhatGoes({ files, bytes, items, kept }: Emptied) {
  return (
    <>
      {items > 0 && (
        <p>
          {t`This deletes ${counted(items, 'item')} and frees ${formatBytes(bytes)} in ${counted(files, 'file')}. Jobs, prompts and costs are kept.`}
        </p>
      )}
      {kept.map(({ reason, count }) => (
        <p key={reason} className="t2">
          {t`Kept, still in use: ${counted(count, 'item')} (${KEPT_WORDS[reason]})`}
        </p>
      ))}
    </>
  );
}

const KEPT_WORDS: Record<KeptReason, string> = { board: t`Board`, chat: t`Chat`, job: t`Queue`, export: t`Export` };

function tell({ items, bytes }: Emptied): void {
  showOutcome(OUTCOME, { text: t`${counted(items, 'item')} deleted for good, ${formatBytes(bytes)} freed` });
}
