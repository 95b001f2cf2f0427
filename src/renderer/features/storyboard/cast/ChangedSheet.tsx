import type { CastMember } from '../../../../shared/cast.ts';
import { counted, t } from '../../../../shared/texts.ts';
import { driftOf } from '../../../media/measure/drift.ts';
import { useMeasures } from '../../../media/useMeasures.ts';
import { AssetImage, KeyValue } from '../../../ui/index.ts';
import { numbersOf } from '../joint/chains.ts';
import type { CastColumn } from '../model/castView.ts';
import type { BoardHandle } from '../useBoard.ts';
import styles from './cast.module.css';
import { colourWords, shapeWords } from './DriftFigures.tsx';

interface ChangedSheetProps {
  board: BoardHandle;
  columns: readonly CastColumn[];
  member: CastMember;
}

/** The picture that stale shots were sent with beside the one that is in use now, and how far they are apart. */
export function ChangedSheet({ board, columns, member }: ChangedSheetProps) {
  const { assets } = board.media;
  const stale = columns.filter(({ cells }) => cells.get(member.id)?.isStale);
  const use = stale[0]?.cells.get(member.id)?.use;
  const was = assets.get(use?.assetId ?? '');
  const now = assets.get((member.sheets[(use?.sheet ?? 1) - 1] ?? member.sheets[0])?.assetId ?? '');
  const measured = useMeasures([was?.sha256 ?? '', now?.sha256 ?? '']);
  if (!use) return null;
  const [one, other] = [measured.get(was?.sha256 ?? ''), measured.get(now?.sha256 ?? '')];
  const apart =
    one?.state === 'measured' && other?.state === 'measured' ? driftOf(one.measures, other.measures) : undefined;
  const sent = stale.reduce(
    (sum, { view }) => sum + view.takes.filter(({ job }) => job?.state === 'succeeded').length,
    0,
  );
  const inWords = columns.filter(({ cells }) => cells.get(member.id)?.use.words !== undefined);
  return (
    <section className={styles.slots} aria-label={t`Changed sheet of ${member.name.trim()}`}>
      <div className="bar sub">
        <h2>{t`Sheet ${use.sheet ?? 1} of ${member.name.trim()}`}</h2>
        <span className="t3 cut">{t`changed; the old one stays in the library`}</span>
      </div>
      <div className={styles.changed}>
        <Picture label={t`was`} asset={was} />
        <Picture label={now ? t`is now` : t`no picture now`} asset={now} />
        <KeyValue
          items={[
            [
              t`Apart by`,
              apart ? (
                <>
                  <b>{t`ΔE ${colourWords(apart.colour)}`}</b>
                  {t`, shape ${shapeWords(apart.shape)}`}
                </>
              ) : (
                t`not measured`
              ),
            ],
            [
              t`Sent before`,
              t`${counted(sent, 'take')} of ${numbersOf(stale.map(({ view }) => view))}. Each keeps the picture it was sent with.`,
            ],
            [t`Not outdated`, inWords.length > 0 && t`${numbersOf(inWords.map(({ view }) => view))}, in words only`],
          ]}
        />
      </div>
    </section>
  );
}

function Picture({ label, asset }: { label: string; asset: Parameters<typeof AssetImage>[0]['asset'] | undefined }) {
  return (
    <figure className="media">
      <AssetImage asset={asset} className="fill" alt="" />
      <figcaption className="ov tl">{label}</figcaption>
    </figure>
  );
}
