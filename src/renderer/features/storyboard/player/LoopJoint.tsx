import { Repeat } from 'lucide-react';
import { t } from '../../../../shared/text/texts.ts';
import { useShortcut } from '../../../app/index.ts';
import type { Player } from '../../../player/player.ts';
import { Button, Icon } from '../../../ui/index.ts';
import { playedShots, type ShotView } from '../model/view.ts';
import { loopJoint, useBoardView } from '../useBoard.ts';
import styles from './player.module.css';
import { nearestJoint } from './playItem.ts';

/** A second before and after the nearest link, again and again; off where the film has none. */
export function useLoopedLink(player: Player | undefined, shots: readonly ShotView[]) {
  const looped = useBoardView((view) => view.loopedJoint);
  const spans = playedShots(shots).map(({ span }) => span);
  const hasLink = spans.length > 1;
  const toggle = () => loopJoint(looped === undefined ? nearestJoint(spans, player?.state().seconds ?? 0) : undefined);
  const kbd = useShortcut('board.loopJoint', toggle, hasLink);
  return { kbd, checked: looped !== undefined, off: hasLink ? undefined : t`no link`, onSelect: toggle };
}

export function LoopJoint({ player, shots }: { player: Player | undefined; shots: readonly ShotView[] }) {
  const { kbd, checked, off, onSelect } = useLoopedLink(player, shots);
  if (off) return null;
  return (
    <Button
      variant="ghost"
      className={styles.loopJoint}
      aria-pressed={checked}
      title={t`Loop link ±1 s (${kbd})`}
      onClick={onSelect}
    >
      <Icon of={Repeat} />
      <span className={styles.wide}>{t`Loop link`}</span> ±1 s
    </Button>
  );
}
