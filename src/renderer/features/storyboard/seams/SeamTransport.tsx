import { Repeat } from 'lucide-react';
import { t } from '../../../../shared/texts.ts';
import { useKeyHint, useShortcut } from '../../../app/index.ts';
import { frameAt } from '../../../player/frames.ts';
import { MuteButton, PlayButtons, Rate } from '../../../player/PlayButtons.tsx';
import styles from '../../../player/player.module.css';
import type { SyncPlayer } from '../../../player/syncPlayer.ts';
import { toggleLoop, usePlayback, usePlayer, usePlayerState } from '../../../player/usePlayer.ts';
import { Button, Icon, Segmented } from '../../../ui/index.ts';
import { HeardAs } from '../sound/HeardAs.tsx';
import type { FilmSound } from '../sound/useFilmSound.ts';
import seamsStyles from './seams.module.css';
import { SEAM_MODES, type SeamMode, useSeamView } from './useSeams.ts';

const LABELS: Record<SeamMode, string> = {
  pair: t`Pair`,
  wipe: t`Wipe`,
  difference: t`Difference`,
  flicker: t`Flicker`,
};
const setMode = (mode: SeamMode) => useSeamView.setState({ mode });

/** Plays around the seam, and how its frames are shown. */
export function SeamTransport({ player, sound }: { player: SyncPlayer; sound: FilmSound }) {
  const { seconds } = usePlayerState(player);
  const isLooping = usePlayback(({ loops }) => loops.link);
  const loopHint = useKeyHint('player.loop');
  usePlayer(player, 'link');
  const frames = frameAt(seconds);
  return (
    <div className={styles.transport} role="toolbar" aria-label={t`Player`}>
      <span className={`mono ${styles.tc}`}>{frames < 0 ? `−${-frames}` : `${frames}`}</span>
      <span className={`t3 ${seamsStyles.fromSeam}`}>{t`frames from the link`}</span>
      <PlayButtons player={player} />
      <Button variant="ghost" aria-pressed={isLooping} kbd={loopHint} onClick={() => toggleLoop('link')}>
        <Icon of={Repeat} />
        {t`Loop ±1 s`}
      </Button>
      <Rate player={player} />
      <span className="grow" />
      <HeardAs sound={sound} />
      <MuteButton />
      <Modes />
    </div>
  );
}

function Modes() {
  const mode = useSeamView((view) => view.mode);
  const hints: Record<SeamMode, string> = {
    pair: useShortcut('seams.pair', () => setMode('pair')),
    wipe: useShortcut('seams.wipe', () => setMode('wipe')),
    difference: useShortcut('seams.difference', () => setMode('difference')),
    flicker: useShortcut('seams.flicker', () => setMode('flicker')),
  };
  return (
    <Segmented
      small
      aria-label={t`How the frames are shown`}
      value={mode}
      onValue={setMode}
      options={SEAM_MODES.map((value) => ({
        value,
        label: LABELS[value],
        kbd: hints[value],
      }))}
    />
  );
}
