import { t } from '../../../../shared/texts.ts';
import '../../../player/player.css';
import { Repeat, SkipBack, SkipForward, Volume2, VolumeX } from 'lucide-react';
import type { ReactNode } from 'react';
import { useKeyHint, useShortcut } from '../../../app/index.ts';
import type { PlayerControls } from '../../../player/controls.ts';
import { FPS, timecode } from '../../../player/frames.ts';
import { PlayButtons } from '../../../player/PlayButtons.tsx';
import { usePlayerState, useSpaceBar } from '../../../player/usePlayer.ts';
import { Icon, IconButton, Kbd } from '../../../ui/index.ts';
import { useBoardView } from '../useBoard.ts';

interface TransportProps {
  player: PlayerControls | undefined;
  /** Length of the board, in seconds. */
  total: number;
  onShot: (step: 1 | -1) => void;
  /** What this player has beside the switches. */
  children?: ReactNode;
}

export function Transport({ player, total, onShot, children }: TransportProps) {
  const { seconds, isPlaying, rate } = usePlayerState(player);
  usePlayerKeys(player, total);
  return (
    <div className="transport" role="toolbar" aria-label={t`Player`}>
      <span className="mono tc" role="timer" aria-label={t`Time`}>
        {timecode(seconds)}
      </span>
      <span className="t3 mono">/ {timecode(total)}</span>
      <IconButton label={t`Previous shot`} onClick={() => onShot(-1)}>
        <Icon of={SkipBack} />
      </IconButton>
      <PlayButtons player={player} isPlaying={isPlaying} />
      <IconButton label={t`Next shot`} onClick={() => onShot(1)}>
        <Icon of={SkipForward} />
      </IconButton>
      {/* What comes and goes stands behind the buttons, so that none of them moves. */}
      {isPlaying && rate !== 1 && <span className="t3">{rate} ×</span>}
      <span className="grow" />
      {children}
      <Switches />
    </div>
  );
}

/** The same switches in the Board's viewer and in Review. */
export function LoopAndMute() {
  const { isMuted, isLooping } = useBoardView();
  return (
    <>
      <IconButton
        label={t`Loop`}
        aria-pressed={isLooping}
        onClick={() => useBoardView.setState({ isLooping: !isLooping })}
      >
        <Icon of={Repeat} />
      </IconButton>
      <IconButton label={t`Mute`} aria-pressed={isMuted} onClick={() => useBoardView.setState({ isMuted: !isMuted })}>
        <Icon of={isMuted ? VolumeX : Volume2} />
      </IconButton>
    </>
  );
}

function Switches() {
  const keys = [useKeyHint('board.back'), useKeyHint('board.play'), useKeyHint('board.forward')];
  return (
    <>
      <LoopAndMute />
      <span className="t3 keys" aria-hidden="true">
        {keys.map((key) => (
          <Kbd key={key}>{key}</Kbd>
        ))}
      </span>
    </>
  );
}

/** J K L and Space, arrows a frame, Shift and arrows a second, Home and End. */
function usePlayerKeys(player: PlayerControls | undefined, total: number): void {
  useShortcut('board.back', () => player?.shuttle(-1));
  useShortcut('board.play', () => player?.toggle());
  useShortcut('board.forward', () => player?.shuttle(1));
  useShortcut('board.frameBack', () => player?.step(-1));
  useShortcut('board.frameForward', () => player?.step(1));
  useShortcut('board.secondBack', () => player?.step(-FPS));
  useShortcut('board.secondForward', () => player?.step(FPS));
  useShortcut('board.start', () => player?.seek(0));
  useShortcut('board.end', () => player?.seek(total));
  useSpaceBar(player);
}
