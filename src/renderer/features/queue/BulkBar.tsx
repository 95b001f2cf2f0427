import { Moon, Play, RotateCcw } from 'lucide-react';
import { useState } from 'react';
import type { ChosenFigures } from '../../../shared/jobs/queueCalls.ts';
import { formatNano } from '../../../shared/money/money.ts';
import { counted, t } from '../../../shared/text/texts.ts';
import { ActionButton, announce, chosenCount, chosenInput, useAction, useCall, useShortcut } from '../../app/index.ts';
import { call } from '../../client/index.ts';
import { untilAnswered } from '../../spending/index.ts';
import { Confirm, formatCount, Icon } from '../../ui/index.ts';
import { ManyDialog, type ManyKind } from './ManyDialog.tsx';
import { CascadeBar, MoveButtons, type WaitingLine } from './MoveButtons.tsx';
import { MAY_BE_MADE } from './SelectionBar.tsx';
import { selectJob, useQueueView } from './state.ts';

/** Calls about the selection wait this long after its last change. */
const REST_MS = 200;

/** Actions on all selected jobs, with the number of dependent jobs and the money. */
export function BulkBar({ line }: { line: WaitingLine }) {
  const choice = useQueueView((state) => state.choice);
  const { data, error } = useCall('jobs.chosen', chosenInput(choice), { on: ['job.changed'], debounceMs: REST_MS });
  const [asked, setAsked] = useState(false);
  const [offer, setOffer] = useState<ManyKind>();
  const { refusal, run } = useAction();
  const count = data?.count ?? chosenCount(choice);
  const cancel = async () => {
    setAsked(false);
    const answer = await run(untilAnswered(() => call('jobs.cancelMany', chosenInput(choice))));
    if (answer.ok) announce(t`${counted(answer.data.canceled, 'job')} canceled`);
  };
  useShortcut('page.leave', () => selectJob(useQueueView.getState().selectedId));
  const isOut = data?.inNight === data?.waiting;
  const off = data?.bothSides ? BOTH_SIDES : undefined;
  return (
    <CascadeBar label={t`Selected jobs`} words={error?.message ?? wordsOf(count, data)} role="status" refusal={refusal}>
      {data && data.waiting > 0 && (
        <>
          <MoveButtons choice={choice} line={line} />
          <ActionButton
            variant="ghost"
            action="queue.night"
            onDo={() => setOffer(isOut ? 'leaveNight' : 'tonight')}
            off={off}
          >
            <Icon of={isOut ? Play : Moon} />
            {isOut ? t`Run now` : t`Schedule tonight`}
          </ActionButton>
        </>
      )}
      {data && data.ended > 0 && (
        <ActionButton variant="ghost" action="queue.retry" onDo={() => setOffer('retry')} off={off}>
          <Icon of={RotateCcw} />
          {t`Retry ${formatCount(data.ended)}`}
        </ActionButton>
      )}
      {data && data.cancelable > 0 && (
        <ActionButton variant="ghost-danger" action="queue.cancel" onDo={() => setAsked(true)}>
          {t`Cancel ${data.cancelable}`}
        </ActionButton>
      )}
      {offer && <ManyDialog kind={offer} of={chosenInput(choice)} onClose={() => setOffer(undefined)} />}
      {data && (
        <Confirm
          open={asked}
          onClose={() => setAsked(false)}
          actionLabel={t`Cancel ${counted(data.cancelable, 'job')}`}
          keep={t`Keep them`}
          onConfirm={() => void cancel()}
        >
          {cascadeOf(data)}
        </Confirm>
      )}
    </CascadeBar>
  );
}

const BOTH_SIDES = t`Choose only test money or only real money.`;

function wordsOf(count: number, figures: ChosenFigures | undefined): string {
  if (!figures) return t`${counted(count, 'job')} selected`;
  const { waiting, ended } = figures;
  const parts = [
    waiting > 0 && t`${formatCount(waiting)} waiting`,
    ended > 0 && t`${formatCount(ended)} without a result`,
  ];
  return [t`${counted(count, 'job')} selected`, ...parts.filter(Boolean)].join(', ');
}

function cascadeOf({ cancelable, sent, dependents, givenBackNano }: ChosenFigures): string {
  return [
    cancelable > sent && t`${counted(cancelable - sent, 'job')} will not be sent.`,
    dependents > 0 && t`${counted(dependents, 'dependent job')} will not be sent.`,
    givenBackNano > 0 && t`${formatNano(givenBackNano)} is no longer reserved.`,
    sent > 0 && MAY_BE_MADE,
  ]
    .filter(Boolean)
    .join(' ');
}
