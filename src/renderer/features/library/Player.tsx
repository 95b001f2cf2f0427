import type { Asset } from '../../../shared/asset.ts';
import { mediaUrl } from '../../client/index.ts';
import { StorageGlyph } from '../../ui/index.ts';

/** The picture or the clip itself, never cropped; what is not on disk says so instead. */
export function Player({ asset, now }: { asset: Asset; now: number }) {
  if (asset.state !== 'local') {
    return (
      <div className="media player away">
        <StorageGlyph storage={asset} now={now} />
        {asset.thumbnailId && <img src={mediaUrl(asset.thumbnailId)} alt="" />}
      </div>
    );
  }
  if (asset.mime.startsWith('video/')) {
    const poster = asset.thumbnailId ? mediaUrl(asset.thumbnailId) : undefined;
    return (
      <div className="media player">
        {/* biome-ignore lint/a11y/useMediaCaption: generated clips come without captions. */}
        <video
          key={asset.id}
          controls
          loop
          preload="metadata"
          poster={poster}
          src={mediaUrl(asset.id)}
          aria-label={asset.name}
        />
      </div>
    );
  }
  return (
    <div className="media player">
      <img src={mediaUrl(asset.id)} alt={asset.name} />
    </div>
  );
}
