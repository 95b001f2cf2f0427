import { Pause, Play } from 'lucide-react';
import { useRef, useState } from 'react';
import { counted, t } from '../../../shared/text/texts.ts';
import { refuseAt, takeQueue, useCall, useIsPlay, useShortcut, useStudio } from '../../app/index.ts';
import { call } from '../../client/index.ts';
import { BEING_READ, SpendDialog, untilAnswered, useSeen, useSpend, useSpendKey } from '../../spending/index.ts';
import { Button, Icon } from '../../ui/index.ts';
import { RESTORED_QUEUE } from '../../words/index.ts';
import { OUTCOME } from './state.ts';
import { waitingMoney } from './waitingMoney.ts';

const JUST_CHANGED = t`The price just changed. Look at it first.`;

/** Takes the new queue state; returns the error if there was one. */
async function setPaused(paused: boolean) {
  const answer = await untilAnswered(() => call(paused ? 'queue.pause' : 'queue.resume'));
  if (!answer.ok) return answer.error;
  takeQueue(answer.data);
  return undefined;
}

/** The waiting jobs and their money while the queue is paused: resuming sends them. */
function useWaiting(paused: boolean) {
  const { data, error, stale, outdated } = useCall('jobs.list', paused ? { order: 'queue', limit: 1 } : null, {
    on: ['ledger.changed', 'queue.changed'],
  });
  const isPlay = useIsPlay();
  const money = paused ? waitingMoney(data?.waiting, isPlay) : undefined;
  const isRead = data !== undefined && !stale && !outdated;
  const isSeen = useSeen(paused && data ? (money ?? '') : undefined);
  const unread = isRead ? undefined : (error?.message ?? BEING_READ);
  return { count: data?.waiting?.count, money, off: unread ?? (isSeen ? undefined : JUST_CHANGED) };
}

/** The one switch for everything that runs. Resuming needs the chord that spends; the queue of a backup needs a dialog. */
export function PauseAll() {
  const paused = useStudio((state) => state.queue?.paused ?? false);
  const heldAt = useStudio((state) => state.queue?.restoredFrom);
  // The backup that the dialog asks about. Once its queue was resumed from anywhere, the dialog closes.
  const [askedOf, setAskedOf] = useState<number>();
  const waiting = useWaiting(paused);
  const { money } = waiting;
  const button = useRef<HTMLButtonElement>(null);
  const resumes = paused && heldAt === undefined;
  const off = resumes ? waiting.off : undefined;
  const spends = resumes && (off !== undefined || money !== undefined);
  const { send, isBusy } = useSpend(async () => {
    const error = await setPaused(!paused);
    if (error) refuseAt(OUTCOME, error.message);
    return undefined;
  });
  const toggle = () => (heldAt === undefined ? void send() : setAskedOf(heldAt));
  const words = paused ? t`Resume all` : t`Pause all`;
  useShortcut('queue.pause', toggle, !spends, { label: words });
  const spend = { label: words, price: money ?? '', off, isBusy, onSpend: toggle };
  const hint = useSpendKey('queue.pause', button, spends ? spend : undefined);
  return (
    <>
      <Button ref={button} kbd={hint} off={off} title={off} busy={isBusy} onClick={toggle}>
        <Icon of={paused ? Play : Pause} />
        {words}
        {money !== undefined && <span className="price t3">{money}</span>}
      </Button>
      {heldAt !== undefined && askedOf === heldAt && (
        <ResumeHeld waiting={waiting} onClose={() => setAskedOf(undefined)} />
      )}
    </>
  );
}

interface ResumeHeldProps {
  waiting: ReturnType<typeof useWaiting>;
  onClose: () => void;
}

/** Resumes the queue of a backup. This cannot be undone, and waiting jobs may have been paid for since the backup. */
function ResumeHeld({ waiting: { count = 0, money, off }, onClose }: ResumeHeldProps) {
  const price = (
    <div className="row between">
      <span className="t2">{t`${counted(count, 'job')} waiting`}</span>
      {money !== undefined && <span className="price">{money}</span>}
    </div>
  );
  return (
    <SpendDialog
      title={t`Resume a backup’s queue?`}
      label={t`Resume all`}
      price={price}
      off={off}
      onSend={() => setPaused(false)}
      onClose={onClose}
    >
      {RESTORED_QUEUE}
    </SpendDialog>
  );
}
