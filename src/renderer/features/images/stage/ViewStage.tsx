import { PanelRight } from 'lucide-react';
import { type KeyboardEvent, type PointerEvent, useState } from 'react';
import type { Asset } from '../../../../shared/asset.ts';
import { mediaUrl } from '../../../client/index.ts';
import { DownloadNow } from '../../../media/DownloadNow.tsx';
import { Button, Icon, StorageGlyph } from '../../../ui/index.ts';
import { useImages } from '../useImages.ts';

/** A picture as it is, or laid over the one before its edit. */
export function ViewStage({ asset, before }: { asset: Asset; before: Asset | undefined }) {
  const isComparing = useImages((state) => state.isComparing);
  return (
    <div className="stage plain">
      <div className="canvas">
        {asset.state !== 'local' ? (
          <Away asset={asset} />
        ) : isComparing && before ? (
          <Compare before={before} after={asset} />
        ) : (
          <Picture asset={asset} />
        )}
      </div>
    </div>
  );
}

/** A picture that is not here: where it is, for how long, and the way to fetch it. */
function Away({ asset }: { asset: Asset }) {
  return (
    <div className="plate">
      <p>
        {asset.state === 'remote'
          ? 'This picture is only at the gateway so far.'
          : 'The link to this picture has ended.'}
      </p>
      <StorageGlyph storage={asset} />
      <DownloadNow asset={asset} />
    </div>
  );
}

function Picture({ asset }: { asset: Asset }) {
  return (
    <div className="pic" style={shapeOf(asset)}>
      <img src={mediaUrl(asset.id)} alt={asset.name} draggable={false} />
    </div>
  );
}

const shapeOf = ({ width, height }: Asset) =>
  width > 0
    ? { aspectRatio: `${width} / ${height}`, width: `min(100cqw, 100cqh * ${width} / ${height}, ${width}px)` }
    : {};

/** Before left, after right of a line that is dragged, or moved by the arrows. */
function Compare({ before, after }: { before: Asset; after: Asset }) {
  const [share, setShare] = useState(0.5);
  const drag = (event: PointerEvent<HTMLElement>) => {
    if (event.type === 'pointerdown') event.currentTarget.setPointerCapture(event.pointerId);
    else if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const box = event.currentTarget.getBoundingClientRect();
    setShare(Math.min(1, Math.max(0, (event.clientX - box.left) / box.width)));
  };
  const key = (event: KeyboardEvent) => {
    const to = { ArrowLeft: share - 0.02, ArrowRight: share + 0.02, Home: 0, End: 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    setShare(Math.min(1, Math.max(0, to)));
  };
  return (
    <div
      className="pic compare"
      style={shapeOf(after)}
      role="slider"
      tabIndex={0}
      aria-label="Before and after"
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(share * 100)}
      aria-valuetext={`${Math.round(share * 100)} % before`}
      onPointerDown={drag}
      onPointerMove={drag}
      onKeyDown={key}
    >
      <img src={mediaUrl(after.id)} alt="After" draggable={false} />
      <img
        src={mediaUrl(before.id)}
        alt="Before"
        draggable={false}
        style={{ clipPath: `inset(0 ${(1 - share) * 100}% 0 0)` }}
      />
      <i className="divider" style={{ left: `${share * 100}%` }} />
      <span className="ov tl">before</span>
      <span className="ov tr">after</span>
    </div>
  );
}

/** The bar over a picture that is not being painted. */
export function ViewBar({ asset, title }: { asset: Asset; title: string }) {
  const isDrawerOpen = useImages((state) => state.isDrawerOpen);
  return (
    <div className="bar">
      <span className="b cut">{title}</span>
      {asset.width > 0 && (
        <span className="t3">
          {asset.width} × {asset.height}
        </span>
      )}
      <span className="grow" />
      <Button
        variant="ghost"
        className="drawer-tab"
        aria-pressed={isDrawerOpen}
        onClick={() => useImages.setState({ isDrawerOpen: !isDrawerOpen })}
      >
        <Icon of={PanelRight} />
        Facts
      </Button>
    </div>
  );
}
