import { useEffect, useRef, useState } from 'react';
import { t } from '../../../shared/text/texts.ts';
import { filmsMadeBy, speedOf } from '../../media/film/filmFrame.ts';
import { useStripReader } from '../../media/filmstrip.ts';
import { tasksDoneBy } from '../../media/frame.ts';
import { doMediaWork } from '../../media/work.ts';

/**
 * For Electron, where a hidden window does the studio's media tasks: this frame only makes film strips for this page, once one is needed.
 */
export function StripFrame() {
  return useStripReader(({ strips }) => strips.size > 0) ? <MediaFrame isWorker={false} /> : null;
}

/** Decodes clips in a frame without access to this page. */
export function MediaFrame({ isWorker = true }: { isWorker?: boolean }) {
  const stop = useRef<(() => void) | undefined>(undefined);
  const [frame, setFrame] = useState(0);
  const leave = () => {
    stop.current?.();
    stop.current = undefined;
    useStripReader.setState({ read: undefined });
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is left once, when it goes.
  useEffect(() => leave, []);
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
        leave();
        if (!contentWindow) return;
        const replace = () => {
          useStripReader.setState({ read: undefined });
          setFrame((current) => current + 1);
        };
        const { doTask, readStrip } = tasksDoneBy(contentWindow, replace);
        useStripReader.setState({ read: readStrip });
        if (isWorker) stop.current = doMediaWork(doTask, filmsMadeBy(contentWindow, replace), speedOf(contentWindow));
      }}
    />
  );
}
