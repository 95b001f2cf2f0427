import { Repeat } from 'lucide-react';
import { memo } from 'react';
import { t } from '../../../../shared/texts.ts';
import { Icon } from '../../../ui/index.ts';
import styles from '../cards.module.css';
import type { ShotView } from '../model/view.ts';
import type { SeamView } from '../seams/useSeams.ts';
import { loopJoint, useBoardView } from '../useBoard.ts';
import { JOINT_NAMES } from './jointChoices.ts';
import { JointShape } from './jointShapes.tsx';
import { jumpOf } from './jump.ts';
import { jointId, openJoint, useJointView } from './useJoint.ts';

interface JointButtonProps {
  view: ShotView;
  /** Undefined where the shot before does not play. */
  seam: SeamView | undefined;
  isTabStop: boolean;
}

/**
 * The joint between two cards: how the shot joins the one before, dashed where its take does not, and how far the two are apart there;
 * pressed, the choice of joints. Beside it the joint is looped.
 */
export const JointButton = memo(function JointButton({ view, seam, isTabStop }: JointButtonProps) {
  const { joint, shot, state, number } = view;
  const isOpen = useJointView(({ jointOf }) => jointOf === shot.id);
  const isLooped = useBoardView(({ loopedJoint }) => loopedJoint === shot.id);
  if (!joint) return null;
  const note = joint.isStale ? t`, stale` : state.isKept ? t`, kept as it is` : '';
  const jump = jumpOf(joint.isStale ? undefined : seam);
  const words = t`Joint to shot ${number}: ${JOINT_NAMES[joint.joint].toLowerCase()}${note}. ${jump.words}`;
  return (
    // Its place among the cards, which are counted in twos.
    <div className={styles.jw} data-index={number - 1} style={{ order: 2 * number - 1 }}>
      <button
        type="button"
        id={jointId(shot.id)}
        tabIndex={isTabStop ? 0 : -1}
        className={`joint ${joint.isStale ? 'stale' : ''}`}
        aria-label={words}
        title={words}
        onClick={() => openJoint(isOpen ? undefined : shot.id)}
      >
        <JointShape joint={joint.joint} />
      </button>
      <span aria-hidden="true" className={joint.isStale ? 't2' : 't3'}>
        {JOINT_NAMES[joint.joint].toLowerCase()}
      </span>
      {jump.lines.map((line) => (
        <span key={line} aria-hidden="true" className={`t3 mono ${styles.jump}`}>
          {line}
        </span>
      ))}
      <button
        type="button"
        tabIndex={-1}
        className={styles.jloop}
        aria-pressed={isLooped}
        aria-label={t`Loop a second around the joint to shot ${number}`}
        title={t`Loop joint ±1 s`}
        onClick={() => loopJoint(isLooped ? undefined : shot.id)}
      >
        <Icon of={Repeat} />
      </button>
    </div>
  );
});
