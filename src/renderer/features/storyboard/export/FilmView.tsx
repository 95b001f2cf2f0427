import { useEffect, useRef, useState } from 'react';
import type { ExportedFile } from '../../../../shared/filmExport.ts';
import { exportUrl } from '../../../client/index.ts';
import { formatLength } from '../../../ui/index.ts';

/** What the file itself says, as the window's player reads it. */
export interface PlayerFacts {
  /** `0:31.00` */
  length: string;
  /** `1920 × 1080` */
  picture: string;
}

interface FilmViewProps {
  /** Of the export. */
  id: string;
  file: ExportedFile;
  isPlaying: boolean;
  onFacts: (facts: PlayerFacts) => void;
}

/** The exported film from its own file: its first frame, then itself. */
export function FilmView({ id, file, isPlaying, onFacts }: FilmViewProps) {
  const video = useRef<HTMLVideoElement>(null);
  const [seconds, setSeconds] = useState<number>();
  useEffect(() => {
    if (isPlaying) void video.current?.play().catch(() => undefined);
    else video.current?.pause();
  }, [isPlaying]);
  const read = () => {
    const { duration = 0, videoWidth = 0, videoHeight = 0 } = video.current ?? {};
    setSeconds(duration);
    const whole = Math.floor(duration / 60);
    const rest = (duration - whole * 60).toFixed(2).padStart(5, '0');
    onFacts({ length: `${whole}:${rest}`, picture: `${videoWidth} × ${videoHeight}` });
  };
  return (
    <div className="x-film">
      {/* biome-ignore lint/a11y/useMediaCaption: its subtitles are files beside it, or in its picture. */}
      <video
        ref={video}
        src={exportUrl(id, file.name)}
        preload="metadata"
        controls={isPlaying}
        aria-label={`The film ${file.name}`}
        onLoadedMetadata={read}
      />
      {!isPlaying && seconds !== undefined && <span className="ov bl">{formatLength(seconds)}</span>}
    </div>
  );
}
