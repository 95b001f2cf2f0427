import { t } from '../../../../shared/texts.ts';
import '../../../player/player.css';
import { Repeat } from 'lucide-react';
import { useEffect } from 'react';
import { useKeyHint, useShortcut } from '../../../app/index.ts';
import { FPS } from '../../../player/frames.ts';
import { PlayButtons } from '../../../player/PlayButtons.tsx';
import { Button, Icon, Kbd, Segmented } from '../../../ui/index.ts';
import { HeardAs } from '../sound/HeardAs.tsx';
import type { FilmSound } from '../sound/useFilmSound.ts';
import type { SeamPlayer } from './seamPlayer.ts';
import { useSeamPlace } from './useSeamPlace.ts';
import { SEAM_MODES, type SeamMode, useSeamView } from './useSeams.ts';

const LABELS: Record<SeamMode, string> = {
  pair: t`Pair`,
  wipe: t`Wipe`,
  difference: t`Difference`,
  flicker: t`Flicker`,
};
const setMode = (mode: SeamMode) => useSeamView.setState({ mode });

/** Plays around the seam, and how its frames are shown. */
export function SeamTransport({ player, sound }: { player: SeamPlayer; sound: FilmSound }) {
  const { at, isPlaying } = useSeamPlace(player);
  const isLooping = useSeamView((view) => view.isLooping);
  const loop = () => {
    const next = !isLooping;
    useSeamView.setState({ isLooping: next });
    if (next && !player.state().isPlaying) player.play();
  };
  const loopHint = useShortcut('seams.loop', loop);
  useShortcut('board.play', () => player.toggle());
  useShortcut('board.secondBack', () => player.step(-1));
  useShortcut('board.secondForward', () => player.step(1));
  useEffect(() => {
    player.isLooping = isLooping;
  }, [player, isLooping]);
  const frames = Math.round(at * FPS);
  return (
    <div className="transport" role="toolbar" aria-label={t`Player`}>
      <span className="mono tc">{frames < 0 ? `−${-frames}` : `${frames}`}</span>
      <span className="t3 from-seam">{t`frames from the link`}</span>
      <PlayButtons player={player} isPlaying={isPlaying} />
      <Button variant="ghost" aria-pressed={isLooping} onClick={loop}>
        <Icon of={Repeat} />
        {t`Loop ±1 s`} <Kbd>{loopHint}</Kbd>
      </Button>
      <span className="grow" />
      <HeardAs sound={sound} />
      <Modes />
    </div>
  );
}

function Modes() {
  const mode = useSeamView((view) => view.mode);
  useShortcut('seams.pair', () => setMode('pair'));
  useShortcut('seams.wipe', () => setMode('wipe'));
  useShortcut('seams.difference', () => setMode('difference'));
  useShortcut('seams.flicker', () => setMode('flicker'));
  const hints: Record<SeamMode, string> = {
    pair: useKeyHint('seams.pair'),
    wipe: useKeyHint('seams.wipe'),
    difference: useKeyHint('seams.difference'),
    flicker: useKeyHint('seams.flicker'),
  };
  return (
    <Segmented
      small
      aria-label={t`How the frames are shown`}
      value={mode}
      onValue={setMode}
      options={SEAM_MODES.map((value) => ({
        value,
        name: LABELS[value],
        label: (
          <>
            {LABELS[value]} <Kbd>{hints[value]}</Kbd>
          </>
        ),
      }))}
    />
  );
}
