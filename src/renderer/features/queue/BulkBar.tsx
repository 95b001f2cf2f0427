import {
  ArrowDown,
  ArrowDownToLine,
  ArrowUp,
  ArrowUpToLine,
  CornerDownRight,
  Moon,
  Play,
  RotateCcw,
} from 'lucide-react';
import { useState } from 'react';
import { formatNano } from '../../../shared/money.ts';
import type { ChosenFigures } from '../../../shared/queueCalls.ts';
import { counted, inflected, t } from '../../../shared/texts.ts';
import { ActionButton, announce, chosenCount, chosenInput, useAction, useCall, useShortcut } from '../../app/index.ts';
import { call } from '../../client/index.ts';
import { untilAnswered } from '../../spending/index.ts';
import { Confirm, formatCount, Icon, Refusal } from '../../ui/index.ts';
import { moveChosen } from './dragging.ts';
import { ManyDialog, type ManyKind } from './ManyDialog.tsx';
import styles from './queue.module.css';
import type { WaitingLine } from './SelectionBar.tsx';
import { type JobChoice, selectJob, useQueueView } from './state.ts';

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
  return (
    <section className={styles.cascade} aria-label={t`Chosen jobs`}>
      <Icon of={CornerDownRight} />
      {refusal === undefined ? (
        <span className="whole grow" role="status">
          {error ? error.message : wordsOf(count, data)}
        </span>
      ) : (
        <Refusal text={refusal} />
      )}
      {data && data.waiting > 0 && <MoveMany choice={choice} line={line} />}
      {data && data.waiting > 0 && <NightMany figures={data} onOffer={setOffer} />}
      {data && data.ended > 0 && <RetryMany figures={data} onOffer={setOffer} />}
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
    </section>
  );
}

const EVERYTHING = t`All of the list are chosen: first and last are their only places.`;

function MoveMany({ choice, line }: { choice: JobChoice; line: WaitingLine }) {
  const places = choice.all ? [] : [...choice.ids].flatMap((id) => line.indexOf(id) ?? []);
  const first = Math.min(...places);
  const last = Math.max(...places);
  const unseen = choice.all ? EVERYTHING : places.length === 0 ? t`They are not in view.` : undefined;
  const before = async (index: number) => {
    const id = await line.idAt(index);
    if (id !== undefined) await moveChosen(choice, { before: id });
    else if (index >= line.total) await moveChosen(choice, 'last');
  };
  const atStart = places.length === first + places.length && first === 0 && last === places.length - 1;
  const atEnd = last === line.total - 1 && first === line.total - places.length;
  return (
    <>
      <ActionButton
        variant="ghost"
        action="queue.first"
        title={t`To the first place`}
        onDo={() => void moveChosen(choice, 'first')}
      >
        <Icon of={ArrowUpToLine} />
        <span className={styles.word}>{t`First`}</span>
      </ActionButton>
      <ActionButton
        variant="ghost"
        action="queue.earlier"
        title={t`One place earlier`}
        off={unseen ?? (atStart ? t`They are the first ones already.` : undefined)}
        onDo={() => void before(Math.max(0, first - 1))}
      >
        <Icon of={ArrowUp} />
        <span className={styles.word}>{t`Earlier`}</span>
      </ActionButton>
      <ActionButton
        variant="ghost"
        action="queue.later"
        title={t`One place later`}
        off={unseen ?? (atEnd ? t`They are the last ones already.` : undefined)}
        onDo={() => void before(last + 2)}
      >
        <Icon of={ArrowDown} />
        <span className={styles.word}>{t`Later`}</span>
      </ActionButton>
      <ActionButton
        variant="ghost"
        action="queue.last"
        title={t`To the last place`}
        onDo={() => void moveChosen(choice, 'last')}
      >
        <Icon of={ArrowDownToLine} />
        <span className={styles.word}>{t`Last`}</span>
      </ActionButton>
    </>
  );
}

interface OfferProps {
  figures: ChosenFigures;
  onOffer: (kind: ManyKind) => void;
}

function NightMany({ figures, onOffer }: OfferProps) {
  const isOut = figures.inNight === figures.waiting;
  return (
    <ActionButton
      variant="ghost"
      action="queue.night"
      onDo={() => onOffer(isOut ? 'leaveNight' : 'tonight')}
      off={oneSide(figures)}
    >
      <Icon of={isOut ? Play : Moon} />
      {isOut ? t`Run now` : t`Tonight`}
    </ActionButton>
  );
}

function RetryMany({ figures, onOffer }: OfferProps) {
  return (
    <ActionButton variant="ghost" action="queue.retry" onDo={() => onOffer('retry')} off={oneSide(figures)}>
      <Icon of={RotateCcw} />
      {t`Retry ${formatCount(figures.ended)}`}
    </ActionButton>
  );
}

const oneSide = ({ bothSides }: ChosenFigures): string | undefined =>
  bothSides ? t`Play money and real money are both among them: choose those of one side.` : undefined;

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
    ? t`What is reserved for them is given back, play money and real money.`
    : givenBackNano > 0
      ? t`${formatNano(givenBackNano)}${play ? t` of play money` : ''} is given back.`
      : t`Nothing is reserved for them.`;
  const gone =
    sent === 0
      ? ''
      : t` ${formatCount(sent)} of the ${formatCount(cancelable)} ${inflected(sent, 'was', 'were')} sent already, so the gateway may still make and bill ${inflected(sent, 'it', 'them')}.`;
  return `${others} ${back}${gone}`;
}
