import { RotateCcw } from 'lucide-react';
import { t } from '../../../../shared/texts.ts';
import { useKeyHint, useNow } from '../../../app/index.ts';
import { formatSpan, formatStamp, Icon, Kbd, Section, WhyOff } from '../../../ui/index.ts';
import type { ShotView } from '../model/view.ts';
import type { BoardHandle } from '../useBoard.ts';
import { ChainButton } from './Chain.tsx';
import styles from './joint.module.css';
import { chooseJoint, JOINT_NAMES, type JointChoices, possibleUntil } from './jointChoices.ts';
import { JointShape } from './jointShapes.tsx';
import { jointNear, useJointChoices } from './useJoint.ts';

/** In the inspector: the joint to the next shot, what an extension needs, and the shots that are made as one chain. */
export function JointBlock({ board, view }: { board: BoardHandle; view: ShotView }) {
  const near = jointNear(board, view);
  const choices = useJointChoices(board, near ?? view);
  const hint = useKeyHint('board.joint');
  if (!near?.joint || !choices) return null;
  const { joint, isStale } = near.joint;
  const title = near === view ? t`Joint to shot ${choices.before.number}` : t`Joint to shot ${near.number}`;
  const extend = choices.choices.find((choice) => choice.joint === 'extend');
  return (
    <Section
      title={title}
      end={
        <span className="row">
          {isStale && <StaleTag />}
          <Kbd>{hint}</Kbd>
        </span>
      }
    >
      <div className={styles.jopt} role="radiogroup" aria-label={title}>
        {choices.choices.map((choice) => (
          <label
            key={choice.joint}
            className={choice.joint === joint ? styles.on : ''}
            title={choice.off ?? choice.words}
          >
            <input
              type="radio"
              className="vh"
              name={t`joint of ${near.shot.id}`}
              checked={choice.joint === joint}
              disabled={Boolean(choice.off)}
              onChange={() => board.sync.edit(chooseJoint(choices, choice.joint))}
            />
            <JointShape joint={choice.joint} />
            {JOINT_NAMES[choice.joint]}
          </label>
        ))}
      </div>
      {extend?.off ? (
        <WhyOff>{t`Extend is off: ${extend.off} Continue comes nearest.`}</WhyOff>
      ) : (
        joint === 'extend' && <ExtendFacts choices={choices} />
      )}
      <ChainButton board={board} view={view} />
    </Section>
  );
}

export function StaleTag() {
  return (
    <span className="stale-tag">
      <Icon of={RotateCcw} />
      {t`stale`}
    </span>
  );
}

function ExtendFacts({ choices: { from, view } }: { choices: JointChoices }) {
  const now = useNow(60_000);
  const until = possibleUntil(from);
  return (
    <dl className="kv">
      {until !== undefined && (
        <>
          <dt>{t`Possible until`}</dt>
          <dd>
            {formatStamp(until)} <span className="t3">{leftText(until - now)}</span>
          </dd>
        </>
      )}
      <dt>{t`Same model`}</dt>
      <dd className="cut">{t`${from?.job?.model ?? view.shot.model}, 7 s a step`}</dd>
    </dl>
  );
}

/** Hours while there are some: what is left is planned by. */
const leftText = (ms: number): string => {
  const hours = Math.floor(ms / 3_600_000);
  return ms <= 0 ? 'over' : hours > 0 ? t`${hours} h left` : t`${formatSpan(ms)} left`;
};
