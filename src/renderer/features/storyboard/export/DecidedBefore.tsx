import { t } from '../../../../shared/texts.ts';
import { CheckGlyph, Thumb } from '../../../ui/index.ts';
import styles from './export.module.css';
import { type FindingRow, outcomeOf } from './exportView.ts';

/** What was known and decided when the export began; it stays on the page while it runs and after. */
export function DecidedBefore({ rows, loudness }: { rows: readonly FindingRow[]; loudness: number | undefined }) {
  if (rows.length === 0) return null;
  return (
    <>
      <h2 className="grp">
        {t`Decided before it began`} <span className="t3">{rows.length}</span>
      </h2>
      <ul>
        {rows.map(({ key, view, title, detail, finding }) => (
          <li key={key} className={styles.xRow}>
            <CheckGlyph />
            <Thumb asset={view.active?.clip} />
            <span className={styles.xWords}>
              <b>{title}</b>
              <span className="t2">{detail}</span>
            </span>
            <span className={`${styles.xWays} t2`}>{outcomeOf(finding, loudness)}</span>
          </li>
        ))}
      </ul>
    </>
  );
}
