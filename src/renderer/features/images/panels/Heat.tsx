import { useEffect, useRef } from 'react';
import type { Asset } from '../../../../shared/library/asset.ts';
import { t } from '../../../../shared/text/texts.ts';
import type { OutsideChange } from '../../../canvas/index.ts';
import { mediaUrl } from '../../../client/index.ts';
import { shapeOf } from '../../../media/Wipe.tsx';
import wipeStyles from '../../../media/wipe.module.css';
import type { EditFacts } from '../model/gallery.ts';
import { useOutsideChange } from '../useProof.ts';
import styles from './panels.module.css';

/** Changed areas: amber over the darkened picture, stronger where the difference is larger. The mask itself stays dark. */
export function Heat({ change: { map }, edit, after }: { change: OutsideChange; edit: EditFacts; after: Asset }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (!context) return;
    const image = context.createImageData(map.width, map.height);
    for (const [index, deltaE] of map.deltaE.entries()) {
      const strength = deltaE === 0 ? 0 : Math.min(255, 70 + deltaE * 12);
      image.data.set([255, 176, 60, strength], index * 4);
    }
    context.putImageData(image, 0, 0);
  }, [map]);
  const mask = { maskImage: `url("${mediaUrl(edit.maskId)}")`, maskMode: 'luminance', maskSize: '100% 100%' } as const;
  return (
    <div className={`media mb ${styles.heat}`} style={{ aspectRatio: `${after.width} / ${after.height}` }}>
      <img src={mediaUrl(after.id)} alt={t`Changes outside the mask`} />
      <canvas ref={canvas} width={map.width} height={map.height} />
      <span className={styles.hole} style={mask} />
    </div>
  );
}

export function ChangedPicture({ edit, after }: { edit: EditFacts; after: Asset }) {
  const compared = useOutsideChange(edit, after);
  const { change, error } = compared ?? {};
  if (!change) {
    const told = error ?? t`The pictures have different sizes.`;
    return <p className="t2">{compared ? told : t`Comparing…`}</p>;
  }
  return (
    <div className={wipeStyles.pic} style={shapeOf(after)}>
      <Heat change={change} edit={edit} after={after} />
      {change.identical && <span className="ov tl">{t`No pixel differs`}</span>}
    </div>
  );
}
