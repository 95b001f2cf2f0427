import { Repeat } from 'lucide-react';
import { t } from '../../../../shared/texts.ts';
import { useShortcut } from '../../../app/index.ts';
import type { Player } from '../../../player/player.ts';
import { Button, Icon } from '../../../ui/index.ts';
import type { ShotView } from '../model/view.ts';
import { loopJoint, useBoardView } from '../useBoard.ts';
import styles from './player.module.css';
import { nearestJoint } from './playItem.ts';

/** A second before and after the nearest joint, again and again. `shots` are those of the film, in order. */
export function LoopJoint({ player, shots }: { player: Player | undefined; shots: readonly ShotView[] }) {
  const looped = useBoardView((view) => view.loopedJoint);
  const hasJoint = shots.length > 1;
  const toggle = () => {
    const spans = shots.map(({ span }) => span);
    loopJoint(looped === undefined ? nearestJoint(spans, player?.state().seconds ?? 0) : undefined);
  };
  const hint = useShortcut('board.loopJoint', toggle, hasJoint);
  if (!hasJoint) return null;
  return (
    <Button
      variant="ghost"
      className={styles.loopJoint}
      aria-pressed={looped !== undefined}
      title={t`Loop joint ±1 s (${hint})`}
      onClick={toggle}
    >
      <Icon of={Repeat} />
      <span className={styles.wide}>{t`Loop joint`}</span> ±1 s
    </Button>
  );
}
