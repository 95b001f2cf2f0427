import type { KeyboardEvent, MouseEvent, ReactNode } from 'react';
import type { Verdict } from '../../shared/jobs/job.ts';
import { undisplayedFormat } from '../../shared/jobs/resultWords.ts';
import type { Asset } from '../../shared/library/asset.ts';
import { displayedAs } from '../../shared/library/mediaFormats.ts';
import { t } from '../../shared/text/texts.ts';
import { mediaUrl } from '../client/index.ts';
import { STATE_WORDS, STORAGE_WORDS, storageWords, VERDICT_WORDS } from '../words/index.ts';
import { formatSeconds } from './format.ts';
import { CloudGlyph, DiskGlyph, ExpiredGlyph, LastHourGlyph } from './glyphs.tsx';
import { type StorageState, useStorage } from './storage.ts';

/** Name and glyph of a rating: Keep is circled, Maybe dotted, No struck through. */
export function VerdictWord({ verdict }: { verdict?: Verdict | undefined }) {
  return verdict ? <span className={`vd ${verdict}`}>{VERDICT_WORDS[verdict]}</span> : null;
}

/** The kept take is circled, as on a camera report. */
export function TakeNumber(props: {
  number: number;
  verdict?: Verdict | undefined;
  active?: boolean;
  uncertain?: boolean;
}) {
  const { number, verdict, active, uncertain } = props;
  const spoken = [
    t`Take ${number}`,
    verdict && VERDICT_WORDS[verdict],
    active && t`Selected take`,
    uncertain && STATE_WORDS.uncertain,
  ]
    .filter(Boolean)
    .join(', ');
  return (
    <span className={`tk ${verdict ?? ''} ${active ? 'active' : ''} ${uncertain ? 'doubt' : ''}`} title={spoken}>
      {verdict === 'keep' && (
        <svg viewBox="0 0 32 24" preserveAspectRatio="none" aria-hidden="true">
          <path
            vectorEffect="non-scaling-stroke"
            d="M25.5 4.6C19 1.2 6.8 1 3.2 8.2.3 14.3 6 21.8 16 22.2c9.3.4 14-4.8 13.2-10.8C28.3 5.4 20 2 11.5 3.4"
          />
        </svg>
      )}
      <span className="vh">{spoken}</span>
      <span aria-hidden="true">{number}</span>
    </span>
  );
}

/** The storage state of a picture, on a plate over it. */
export function StoragePlate({ storage }: { storage: StorageState }) {
  return storage.state === 'local' ? <OnDisk /> : <Elsewhere storage={storage} />;
}

/** Most files are stored here: they need no clock and no text. */
const OnDisk = () => (
  <span className="ov bl" role="img" aria-label={STORAGE_WORDS.local} title={STORAGE_WORDS.local}>
    <DiskGlyph />
  </span>
);

function Elsewhere({ storage }: { storage: StorageState }) {
  const { left, words, isSoon, isLast } = useStorage(storage);
  const remote = storage.state === 'remote';
  return (
    <span className={`ov bl ${isSoon ? 'warn' : ''}`} title={words}>
      {isLast ? <LastHourGlyph /> : remote ? <CloudGlyph /> : <ExpiredGlyph />}
      <span className="vh">{words}</span>
      <span aria-hidden="true">{isLast ? t`${left} left` : remote ? left : storageWords(storage)}</span>
    </span>
  );
}

/** The facts that a thumbnail needs. */
type Pictured = Pick<Asset, 'id' | 'mime' | 'state' | 'thumbnailId'>;

/** An asset's thumbnail, or the picture itself; a dashed frame if there is none. */
export function AssetImage({
  asset,
  alt = '',
  className,
}: {
  asset?: Pictured | undefined;
  alt?: string;
  className?: string;
}) {
  const id =
    asset?.thumbnailId ?? (asset?.state === 'local' && displayedAs(asset.mime) === 'image' ? asset.id : undefined);
  if (!id) {
    return (
      <span className={`${className ?? ''} no-pic`}>
        <span className="vh">{alt}</span>
        {asset && undisplayedFormat(asset)}
      </span>
    );
  }
  return <img className={className} src={mediaUrl(id)} alt={alt} loading="lazy" decoding="async" draggable={false} />;
}

/** 48 × 27 in a row; dashed if there is no picture. */
export function Thumb({ asset, small }: { asset?: Pictured | undefined; small?: boolean }) {
  const size = small ? 'thumb sm' : 'thumb';
  const showable = asset && (asset.thumbnailId || (asset.state === 'local' && displayedAs(asset.mime) === 'image'));
  return showable ? <AssetImage asset={asset} className={size} /> : <span className={`${size} none`} />;
}

export interface MediaTileProps {
  asset: Asset;
  title: ReactNode;
  verdict?: Verdict | undefined;
  selected?: boolean;
  id?: string;
  onPick?: (event: MouseEvent | KeyboardEvent) => void;
  onOpen?: () => void;
}

/** A tile of the library: storage state bottom left, length bottom right, rating below. */
export function MediaTile(props: MediaTileProps) {
  const { asset, title, verdict, selected, id, onPick, onOpen } = props;
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the list box holds the focus and names its active tile.
    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid that holds the tiles owns the keys.
    <div
      id={id}
      role="option"
      aria-selected={selected ?? false}
      className={`tile ${selected ? 'sel' : ''}`}
      draggable={asset.state === 'local'}
      onClick={onPick}
      onDoubleClick={onOpen}
    >
      <div className="media">
        <AssetImage asset={asset} className="fill" />
        <StoragePlate storage={asset} />
        {asset.seconds !== undefined && <span className="ov br">{formatSeconds(asset.seconds)}</span>}
      </div>
      <div className="cap">
        <span className="cut grow">{title}</span>
        <VerdictWord verdict={verdict} />
      </div>
    </div>
  );
}
