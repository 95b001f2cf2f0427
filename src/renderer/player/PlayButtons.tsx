import { Pause, Play, StepBack, StepForward } from 'lucide-react';
import { t } from '../../shared/texts.ts';
import { Icon, IconButton } from '../ui/index.ts';
import type { PlayerControls } from './controls.ts';

interface PlayButtonsProps {
  player: Pick<PlayerControls, 'step' | 'toggle'> | undefined;
  isPlaying: boolean;
  /** The keys that do the same, where they are not printed beside them. */
  keys?: { back: string; play: string; forward: string };
}

/** A frame back, play or pause, a frame forward. */
export function PlayButtons({ player, isPlaying, keys }: PlayButtonsProps) {
  return (
    <>
      <IconButton label={t`Back one frame`} {...tipOf(keys?.back)} onClick={() => player?.step(-1)}>
        <Icon of={StepBack} />
      </IconButton>
      <IconButton label={isPlaying ? t`Pause` : t`Play`} {...tipOf(keys?.play)} onClick={() => player?.toggle()}>
        <Icon of={isPlaying ? Pause : Play} size="m" />
      </IconButton>
      <IconButton label={t`Forward one frame`} {...tipOf(keys?.forward)} onClick={() => player?.step(1)}>
        <Icon of={StepForward} />
      </IconButton>
    </>
  );
}

const tipOf = (tip: string | undefined) => (tip === undefined ? {} : { tip });
