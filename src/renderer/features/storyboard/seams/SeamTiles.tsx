import { takeEnd } from '../../../../shared/film.ts';
import { t } from '../../../../shared/texts.ts';
import { AssetImage } from '../../../ui/index.ts';
import { selectShot } from '../useBoard.ts';
import { Finding } from './Finding.tsx';
import { signed } from './SeamGraphs.tsx';
import type { SeamMeasure } from './seam.ts';
import styles from './seams.module.css';
import type { SeamView } from './useSeams.ts';

/** Every link of the film with its three figures. */
export function SeamTiles({ seams, selected }: { seams: readonly SeamView[]; selected: SeamView }) {
  return (
    <section className={styles.jstrip} aria-label={t`Links`} data-panel tabIndex={-1}>
      {seams.map((view) => (
        <Tile key={view.after.shot.id} view={view} isSelected={view === selected} />
      ))}
    </section>
  );
}

function Tile({ view, isSelected }: { view: SeamView; isSelected: boolean }) {
  const { before, after, seam, verdict } = view;
  const clip = before.active?.clip;
  const end = takeEnd(before.active);
  return (
    <button
      type="button"
      className={`${styles.jtile} ${isSelected ? styles.sel : ''}`}
      aria-pressed={isSelected}
      onClick={() => selectShot(after.shot.id)}
    >
      <span className={`row ${styles.jh}`}>
        <b>{t`${before.number} to ${after.number}`}</b>
        <span className="t2">{after.joint?.joint ?? 'cut'}</span>
        <span className="grow" />
        {after.joint?.isStale ? (
          <span className="stale-tag">{t`outdated`}</span>
        ) : (
          <span className="t3">{verdict}</span>
        )}
      </span>
      <span className={styles.jp}>
        <AssetImage asset={clip && end !== undefined ? { ...clip, thumbnailId: end } : clip} alt="" />
        <AssetImage asset={after.active?.clip} alt="" />
      </span>
      <span className={styles.jf}>
        <Figure name="frames" of={seam.frames} text={seam.frames.value.toFixed(2)} />
        <Figure name="colour" of={seam.colour} text={seam.colour.value.toFixed(1)} />
        <Figure name="sound" of={seam.sound} text={signed(seam.sound.value, '').trim()} />
      </span>
    </button>
  );
}

function Figure({ name, of, text }: { name: string; of: SeamMeasure; text: string }) {
  return (
    <span>
      <i className="t3">{name}</i>
      <Finding of={of} text={of.finding === 'none' ? '–' : text} />
    </span>
  );
}
