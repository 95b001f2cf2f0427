import { undisplayedNote } from '../../../shared/jobs/resultWords.ts';
import type { Asset } from '../../../shared/library/asset.ts';
import { t } from '../../../shared/text/texts.ts';
import { useCall } from '../../app/index.ts';
import { mediaUrl } from '../../client/index.ts';
import { DownloadNow } from '../../media/DownloadNow.tsx';
import { SaveCopy } from '../../media/SaveCopy.tsx';
import { FPS } from '../../player/frames.ts';
import { MediaPlayer } from '../../player/MediaPlayer.tsx';
import { StorageGlyph } from '../../ui/index.ts';
import styles from './library.module.css';

export function Player({ asset }: { asset: Asset }) {
  if (asset.state !== 'local') {
    return (
      <div className={`media ${styles.player} ${styles.away}`}>
        <StorageGlyph storage={asset} />
        {asset.thumbnailId && <img src={mediaUrl(asset.thumbnailId)} alt="" />}
      </div>
    );
  }
  const note = undisplayedNote(asset);
  if (note !== undefined) {
    return (
      <div className={`media ${styles.player} ${styles.away}`}>
        <SaveCopy asset={asset} why={note} />
      </div>
    );
  }
  if (asset.mime.startsWith('video/') || asset.mime.startsWith('audio/')) {
    return (
      <MediaPlayer
        url={mediaUrl(asset.id)}
        mime={asset.mime}
        name={asset.name}
        poster={asset.thumbnailId && mediaUrl(asset.thumbnailId)}
        seconds={asset.seconds}
        fps={asset.role === 'output' ? FPS : undefined}
        sha256={asset.sha256}
        instead={<NotPlayable asset={asset} />}
      />
    );
  }
  return (
    <div className={`media ${styles.player}`}>
      <img src={mediaUrl(asset.id)} alt={asset.name} />
    </div>
  );
}

/** Why a file does not play, and how to fix it. */
function NotPlayable({ asset }: { asset: Asset }) {
  const { data } = useCall('library.gone', { ids: [asset.id] }, { on: ['asset.changed'] });
  if (!data) return null;
  if (data.ids.includes(asset.id)) {
    return (
      <div className="col" role="status">
        <p>{t`The file is missing. Restore it to the library folder, or import a copy.`}</p>
        {asset.jobId !== undefined && <DownloadNow asset={asset} isGone />}
      </div>
    );
  }
  return <SaveCopy asset={asset} why={t`This format cannot be played here. Save a copy to play it elsewhere.`} />;
}
