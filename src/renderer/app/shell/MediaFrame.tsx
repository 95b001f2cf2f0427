import { useEffect, useRef, useState } from 'react';
import { t } from '../../../shared/texts.ts';
import { filmsMadeBy, speedOf } from '../../media/film/filmFrame.ts';
import { tasksDoneBy } from '../../media/frame.ts';
import { doMediaWork } from '../../media/work.ts';

/** Clips are decoded in a frame that reaches nothing of this page (in Electron a hidden window does it). */
export function MediaFrame() {
  const stop = useRef<(() => void) | undefined>(undefined);
  const [frame, setFrame] = useState(0);
  useEffect(() => () => stop.current?.(), []);
  return (
    <iframe
      key={frame}
      src="./media.html"
      title={t`Media worker`}
      sandbox="allow-scripts"
      hidden
      tabIndex={-1}
      aria-hidden="true"
      onLoad={({ currentTarget: { contentWindow } }) => {
        stop.current?.();
        const replace = () => setFrame((current) => current + 1);
        stop.current = contentWindow
          ? doMediaWork(
              tasksDoneBy(contentWindow, replace),
              filmsMadeBy(contentWindow, replace),
              speedOf(contentWindow),
            )
          : undefined;
      }}
    />
  );
}
