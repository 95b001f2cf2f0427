import type { ExportedFile } from '../../../../shared/filmExport.ts';
import { t } from '../../../../shared/texts.ts';
import { exportUrl } from '../../../client/index.ts';
import { FPS } from '../../../player/frames.ts';
import { type MediaFacts, MediaPlayer } from '../../../player/MediaPlayer.tsx';

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
  onFacts: (facts: PlayerFacts) => void;
}

/** The exported film from its own file. */
export function FilmView({ id, file, onFacts }: FilmViewProps) {
  const read = ({ seconds, width, height }: MediaFacts) => {
    const whole = Math.floor(seconds / 60);
    const rest = (seconds - whole * 60).toFixed(2).padStart(5, '0');
    onFacts({ length: `${whole}:${rest}`, picture: `${width} × ${height}` });
  };
  return (
    <div className="x-film">
      <MediaPlayer
        url={exportUrl(id, file.name)}
        mime={file.mime}
        name={t`The film ${file.name}`}
        fps={FPS}
        instead={
          <p role="status">{t`This window cannot play the film. Show it in its folder, and play it from there.`}</p>
        }
        onFacts={read}
      />
    </div>
  );
}
