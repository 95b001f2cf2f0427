import { Check } from 'lucide-react';
import type { KeyboardEvent } from 'react';
import { t } from '../../../../shared/text/texts.ts';
import { announce } from '../../../app/index.ts';
import { AnchoredPopover, Icon } from '../../../ui/index.ts';
import cardsStyles from '../cards.module.css';
import type { ViewProps } from '../tabProps.ts';
import type { BoardHandle } from '../useBoard.ts';
import { JointShape } from './Joints.tsx';
import styles from './joint.module.css';
import {
  chooseJoint,
  goByArrows,
  JOINT_NAMES,
  type JointChoice,
  jointId,
  openJoint,
  useJointChoices,
  useJointView,
} from './jointChoices.ts';

/** The menu of links between two cards, anchored to the link. */
export function LinkMenu({ board }: { board: BoardHandle }) {
  const jointOf = useJointView((view) => view.jointOf);
  const view = board.shots.find(({ shot }) => shot.id === jointOf);
  return view ? <OpenLink key={view.shot.id} board={board} view={view} /> : null;
}

function OpenLink({ board, view }: ViewProps) {
  const choices = useJointChoices(board, view);
  if (!choices) return null;
  const name = t`Link shot ${choices.before.number} to shot ${view.number}`;
  const choose = ({ joint, off }: JointChoice) => {
    if (off !== undefined) return announce(off);
    openJoint(undefined);
    if (view.shot.joint !== joint) board.sync.edit(chooseJoint(choices, joint));
  };
  const byArrows = (event: KeyboardEvent<HTMLElement>) => goByArrows(event, 'ArrowUp', 'ArrowDown');
  return (
    <AnchoredPopover
      open
      onClose={() => openJoint(undefined)}
      anchor={() => document.getElementById(jointId(view.shot.id))}
      finalFocus={() => document.querySelector<HTMLElement>(`.${cardsStyles.cardList} [aria-selected="true"]`)}
      title={name}
    >
      <div className={styles.linkMenu} role="menu" aria-label={name} tabIndex={-1} onKeyDown={byArrows}>
        <b className={styles.linkTitle} aria-hidden="true">
          {name}
        </b>
        {choices.choices.map((choice) => (
          <button
            key={choice.joint}
            type="button"
            role="menuitemradio"
            aria-checked={choice.joint === view.joint?.joint}
            aria-disabled={choice.off !== undefined}
            onClick={() => choose(choice)}
          >
            <JointShape joint={choice.joint} />
            <b>{JOINT_NAMES[choice.joint]}</b>
            {choice.joint === view.joint?.joint && <Icon of={Check} />}
            <span>{choice.off ?? choice.words}</span>
          </button>
        ))}
      </div>
    </AnchoredPopover>
  );
}
