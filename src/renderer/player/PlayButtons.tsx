import { Pause, Play, Repeat, StepBack, StepForward, Volume2, VolumeX } from 'lucide-react';
import { t } from '../../shared/text/texts.ts';
import { useKeyHint } from '../app/index.ts';
import { Icon, IconButton } from '../ui/index.ts';
import type { Player } from './player.ts';
import { type Played, toggleLoop, toggleMute, usePlayback, usePlayerValue } from './usePlayer.ts';

interface PlayerProps {
  player: Player | undefined;
}

/** A frame back, play or pause, a frame forward. */
export function PlayButtons({ player }: PlayerProps) {
  const isPlaying = usePlayerValue(player, (state) => state.isPlaying);
  return (
    <>
      <IconButton label={t`Back one frame`} tip={useKeyHint('player.frameBack')} onClick={() => player?.step(-1)}>
        <Icon of={StepBack} />
      </IconButton>
      <IconButton
        label={isPlaying ? t`Pause` : t`Play`}
        tip={useKeyHint('board.play')}
        onClick={() => player?.toggle()}
      >
        <Icon of={isPlaying ? Pause : Play} size="m" />
      </IconButton>
      <IconButton label={t`Forward one frame`} tip={useKeyHint('player.frameForward')} onClick={() => player?.step(1)}>
        <Icon of={StepForward} />
      </IconButton>
    </>
  );
}

/** The playback rate, if it is not the usual one. */
export function Rate({ player, usual = 1, className = 't3 nw' }: PlayerProps & { usual?: number; className?: string }) {
  const rate = usePlayerValue(player, (state) => (state.isPlaying ? state.rate : usual));
  return rate === usual ? null : <span className={className}>{String(rate).replace('-', '−')} ×</span>;
}

export function LoopAndMute({ of }: { of: Played }) {
  const isLooping = usePlayback(({ loops }) => loops[of]);
  const loopHint = useKeyHint('player.loop');
  return (
    <>
      <IconButton label={t`Loop`} tip={loopHint} aria-pressed={isLooping} onClick={() => toggleLoop(of)}>
        <Icon of={Repeat} />
      </IconButton>
      <MuteButton />
    </>
  );
}

export function MuteButton() {
  const isMuted = usePlayback((playback) => playback.isMuted);
  return (
    <IconButton label={t`Mute`} tip={useKeyHint('player.mute')} aria-pressed={isMuted} onClick={toggleMute}>
      <Icon of={isMuted ? VolumeX : Volume2} />
    </IconButton>
  );
}
