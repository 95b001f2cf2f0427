import type { Emptied, KeptReason } from '../../../shared/assetMarks.ts';
import { counted, inflected, t } from '../../../shared/texts.ts';
import { showOutcome, useAction, useCall } from '../../app/index.ts';
import { call } from '../../client/index.ts';
import { Button, Dialog, formatBytes, formatCount, Refusal } from '../../ui/index.ts';
import { forgetBinned, useBinnedLast } from './deeds.ts';
import styles from './library.module.css';
import { chooseNone, OUTCOME, useLibraryView } from './state.ts';

/** Which of the bin: these, or all of it. */
interface WhichBinned {
  ids?: string[];
}

interface EmptyBinProps extends WhichBinned {
  onClose: () => void;
}

/** Before anything is deleted for ever: how much of it goes, what stays and why. */
export function EmptyBinDialog({ ids, onClose }: EmptyBinProps) {
  const which: WhichBinned = ids ? { ids } : {};
  const { refusal, run, isBusy } = useAction();
  // While it is emptied, what is asked about is on its way out of it.
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
      title={ids ? t`Delete ${counted(ids.length, 'item')} for ever?` : t`Empty the bin?`}
      footer={
        <>
          <Button variant="ghost" onClick={onClose}>
            {t`Keep ${inflected(items, 'it', 'them')}`}
          </Button>
          <Button
            variant="danger"
            busy={isBusy}
            off={isBusy ? undefined : whyNot(isFresh, items)}
            onClick={() => void remove()}
          >
            {t`Delete ${formatCount(items)} for ever`}
          </Button>
        </>
      }
    >
      <div className={`col ${styles.emptyBin}`}>
        {data ? <WhatGoes {...data} /> : !said && <p className="t2">{BEING_READ}</p>}
        <Refusal text={said} />
      </div>
    </Dialog>
  );
}

const BEING_READ = t`The bin is being read.`;

function whyNot(isFresh: boolean, items: number): string | undefined {
  if (!isFresh) return BEING_READ;
  return items === 0 ? t`Nothing of it can go: all is still used.` : undefined;
}

function WhatGoes({ files, bytes, items, kept }: Emptied) {
  return (
    <>
      {items > 0 && (
        <p>
          {t`${counted(items, 'item')} ${inflected(items, 'goes', 'go')} for ever, and ${formatBytes(bytes)} in ${counted(files, 'file')} come free. Their jobs, prompts and costs stay in the history.`}
        </p>
      )}
      {kept.map(({ reason, count }) => (
        <p key={reason} className="t2">
          {keptWords(reason, count)}
        </p>
      ))}
      {items > 0 && <p className="t2">{t`This cannot be undone.`}</p>}
    </>
  );
}

const KEPT_WORDS = {
  board: [t`stands on a board or can come back to it`, t`stand on a board or can come back to it`],
  chat: [t`was shown to a model in a chat, and would be again`, t`were shown to a model in a chat, and would be again`],
  job: [t`waits to be used by a job`, t`wait to be used by a job`],
  export: [t`is used by an export`, t`are used by an export`],
} as const satisfies Record<KeptReason, readonly [one: string, many: string]>;

/** Why something stays in the bin. */
const keptWords = (reason: KeptReason, count: number): string =>
  t`${formatCount(count)} ${inflected(count, 'stays', 'stay')} in the bin: ${KEPT_WORDS[reason][count === 1 ? 0 : 1]}.`;

function tell({ items, bytes, kept }: Emptied): void {
  const left = kept.reduce((sum, { count }) => sum + count, 0);
  const stays = left > 0 ? t`; ${formatCount(left)} still used ${inflected(left, 'stays', 'stay')} in the bin` : '';
  const text = t`${counted(items, 'item')} deleted for ever, ${formatBytes(bytes)} free${stays}`;
  showOutcome(OUTCOME, { text });
}
