import { type RefObject, useState } from 'react';
import { t } from '../../../shared/texts.ts';
import { Button } from '../../ui/index.ts';

/** Plays every clip that is compared, from the same second. */
export function PlayTogether({ stage }: { stage: RefObject<HTMLElement | null> }) {
  const [isPlaying, setPlaying] = useState(false);
  const toggle = () => {
    const clips = [...(stage.current?.querySelectorAll('video') ?? [])];
    const at = clips[0]?.currentTime ?? 0;
    for (const clip of clips) {
      clip.currentTime = at;
      if (isPlaying) clip.pause();
      else void clip.play().catch(() => undefined);
    }
    setPlaying(!isPlaying);
  };
  return (
    <Button variant="ghost" onClick={toggle}>
      {isPlaying ? t`Pause clips` : t`Play clips`}
    </Button>
  );
}
