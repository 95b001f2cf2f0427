import { type FormEvent, useMemo, useState } from 'react';
import type { Joint } from '../../../../shared/board.ts';
import { t } from '../../../../shared/texts.ts';
import { announce, useKeyHint } from '../../../app/index.ts';
import { usePrice } from '../../../spending/index.ts';
import { AnchoredPopover, Button, Kbd, PriceWords, rich } from '../../../ui/index.ts';
import cardsStyles from '../cards.module.css';
import { quantityOfShot } from '../model/draft.ts';
import type { ShotView } from '../model/view.ts';
import type { BoardHandle } from '../useBoard.ts';
import jointStyles from './joint.module.css';
import { afterwards, chooseJoint, JOINT_NAMES, type JointChoice, type JointChoices } from './jointChoices.ts';
import { JointShape } from './jointShapes.tsx';
import { jointId, openJoint, useJointChoices, useJointView } from './useJoint.ts';

/** The choice of the joint between two cards, at the joint that it is about. */
export function JointPopover({ board }: { board: BoardHandle }) {
  const jointOf = useJointView((view) => view.jointOf);
  const view = board.shots.find(({ shot }) => shot.id === jointOf);
  return view ? <OpenJoint key={view.shot.id} board={board} view={view} /> : null;
}

function OpenJoint({ board, view }: { board: BoardHandle; view: ShotView }) {
  const choices = useJointChoices(board, view);
  if (!choices) return null;
  const name = t`Joint ${choices.before.number} to ${view.number}`;
  return (
    <AnchoredPopover
      open
      onClose={() => openJoint(undefined)}
      anchor={() => document.getElementById(jointId(view.shot.id))}
      finalFocus={() => document.querySelector<HTMLElement>(`.${cardsStyles.cardList} [aria-selected="true"]`)}
      title={name}
    >
      <JointForm board={board} name={name} choices={choices} />
    </AnchoredPopover>
  );
}

function JointForm({ board, name, choices }: { board: BoardHandle; name: string; choices: JointChoices }) {
  const { view } = choices;
  const now = view.joint?.joint ?? 'cut';
  const [chosen, setChosen] = useState<Joint>(now);
  const hint = useKeyHint('board.joint');
  const { shots, media } = board;
  const cast = board.board?.cast;
  const meaning = useMemo(() => {
    if (chosen !== now) return afterwards({ shots, media, cast }, choices, chosen);
    return view.shot.joint === undefined ? t`Its slots say so; Set chooses it.` : t`It is set.`;
  }, [shots, media, cast, choices, view, chosen, now]);
  const set = (event: FormEvent) => {
    event.preventDefault();
    openJoint(undefined);
    if (chosen === now && view.shot.joint !== undefined) return;
    board.sync.edit(chooseJoint(choices, chosen));
    announce(`${name}: ${chosen}`);
  };
  return (
    <form className={jointStyles.jform} onSubmit={set}>
      <div className="row between">
        <b>{name}</b>
        <Kbd>{hint}</Kbd>
      </div>
      <div className={jointStyles.jrows} role="radiogroup" aria-label={name}>
        {choices.choices.map((choice) => (
          <JointRow
            key={choice.joint}
            choice={choice}
            isChosen={choice.joint === chosen}
            onChoose={() => setChosen(choice.joint)}
          />
        ))}
      </div>
      <div className="row between">
        <span className="t2">{meaning}</span>
        <Button type="submit" kbd="↵">
          {t`Set`}
        </Button>
      </div>
    </form>
  );
}

function JointRow({ choice, isChosen, onChoose }: { choice: JointChoice; isChosen: boolean; onChoose: () => void }) {
  const { joint, words, off } = choice;
  return (
    <label className={`${jointStyles.jrow} ${off ? jointStyles.off : ''} ${isChosen ? jointStyles.on : ''}`}>
      <input type="radio" className="vh" name="joint" checked={isChosen} disabled={Boolean(off)} onChange={onChoose} />
      <JointShape joint={joint} />
      <span className="col">
        <b>{JOINT_NAMES[joint]}</b>
        {off ? (
          <span className="t2">{rich`Off: ${off} ${<b>{t`Continue`}</b>} comes nearest.`}</span>
        ) : (
          <span className="t3">{words}</span>
        )}
      </span>
      {joint === 'cut' ? <span className="t3">{t`free`}</span> : off ? null : <JointPrice choice={choice} />}
    </label>
  );
}

/** What one take made in this way would cost. */
function JointPrice({ choice }: { choice: JointChoice }) {
  const { price } = usePrice(quantityOfShot(choice.shot));
  if (!price) return <span className="t3">–</span>;
  return <PriceWords nano={price.estimateNano} lowNano={price.lowNano} unpriced={price.unpriced} />;
}
