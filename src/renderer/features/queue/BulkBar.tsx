import { Moon, Play, RotateCcw } from 'lucide-react';
import { useState } from 'react';
import { formatNano } from '../../../shared/money.ts';
import type { ChosenFigures } from '../../../shared/queueCalls.ts';
import { counted, inflected, t } from '../../../shared/texts.ts';
import { ActionButton, announce, chosenCount, chosenInput, useAction, useCall, useShortcut } from '../../app/index.ts';
import { call } from '../../client/index.ts';
import { untilAnswered } from '../../spending/index.ts';
import { Confirm, formatCount, Icon } from '../../ui/index.ts';
import { ManyDialog, type ManyKind } from './ManyDialog.tsx';
import { CascadeBar, MoveButtons, type WaitingLine } from './MoveButtons.tsx';
import { selectJob, useQueueView } from './state.ts';

/** What is asked of the studio while the choice changes rests this long. */
const REST_MS = 200;

/** What can be done with all that are chosen, with the cascade and the money in figures. */
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
    <CascadeBar label={t`Chosen jobs`} words={error?.message ?? wordsOf(count, data)} role="status" refusal={refusal}>
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
            {isOut ? t`Run now` : t`Tonight`}
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
          title={t`Cancel ${counted(data.cancelable, 'job')}?`}
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

const BOTH_SIDES = t`Test money and real money are both among them: choose those of one side.`;

function wordsOf(count: number, figures: ChosenFigures | undefined): string {
  if (!figures) return t`${counted(count, 'job')} chosen`;
  const { waiting, ended, givenBackNano, dependents } = figures;
  const parts = [
    waiting > 0 && t`${formatCount(waiting)} ${inflected(waiting, 'waits', 'wait')}`,
    ended > 0 && t`${formatCount(ended)} ended without a result`,
    givenBackNano > 0 && t`${formatNano(givenBackNano)} is given back if canceled`,
    dependents > 0 && t`${counted(dependents, 'other')} ${inflected(dependents, 'depends', 'depend')} on them`,
  ];
  return [t`${counted(count, 'job')} chosen`, ...parts.filter(Boolean)].join(', ');
}

function cascadeOf({ cancelable, sent, dependents, givenBackNano, play, bothSides }: ChosenFigures): string {
  const others =
    dependents === 0
      ? t`Nothing else depends on them.`
      : t`${counted(dependents, 'other job')} ${inflected(dependents, 'depends', 'depend')} on them and would fail without being sent.`;
  const back = bothSides
    ? t`What is reserved for them is given back, test money and real money.`
    : givenBackNano > 0
      ? t`${formatNano(givenBackNano)}${play ? t` of test money` : ''} is given back.`
      : t`Nothing is reserved for them.`;
  const gone =
    sent === 0
      ? ''
      : t` ${formatCount(sent)} of the ${formatCount(cancelable)} ${inflected(sent, 'was', 'were')} sent already, so the gateway may still make and bill ${inflected(sent, 'it', 'them')}.`;
  return `${others} ${back}${gone}`;
}
