import type { Asset } from '../../shared/asset.ts';
import { mediaUrl } from '../client/index.ts';

interface MediumProps {
  asset: Pick<Asset, 'id' | 'mime'>;
  alt: string;
  style?: React.CSSProperties;
}

/** A picture, or a clip that is played with others beside it: silent, again and again. */
export function Medium({ asset, alt, style }: MediumProps) {
  const src = mediaUrl(asset.id);
  if (!asset.mime.startsWith('video/')) return <img src={src} alt={alt} style={style} draggable={false} />;
  return (
    <video src={src} aria-label={alt} style={style} preload="auto" muted loop playsInline disablePictureInPicture />
  );
}
