import { Plus } from 'lucide-react';
import { type CastMember, MAX_CAST } from '../../../../shared/cast.ts';
import { counted, listed, t } from '../../../../shared/texts.ts';
import { ActionButton } from '../../../app/index.ts';
import { driftOf } from '../../../media/measure/drift.ts';
import { useMeasures } from '../../../media/useMeasures.ts';
import { AssetImage, Button, EmptyState, Icon, KeyValue, rich } from '../../../ui/index.ts';
import { numbersOf } from '../joint/chains.ts';
import { StaleCount } from '../joint/Ripple.tsx';
import { addMember, freeName, newMember } from '../model/castEdits.ts';
import type { CastColumn } from '../model/castView.ts';
import { Status } from '../Status.tsx';
import type { BoardTabProps } from '../tabProps.ts';
import { type BoardHandle, selectShot } from '../useBoard.ts';
import styles from './cast.module.css';
import { colourWords, shapeWords } from './DriftFigures.tsx';
import { Matrix } from './Matrix.tsx';
import { SlotRow } from './SlotRow.tsx';
import { castOfBoard, selectMember, useCastView, useColumns } from './useCast.ts';
import { MOST_MEASURED, useDrift } from './useDrift.ts';

/** Who and what is in the film, in which shots, and how each is sent. */
export function CastTab({ board, shot }: BoardTabProps) {
  const cast = castOfBoard(board);
  const columns = useColumns(board);
  const drifts = useDrift(board, columns, cast);
  const column = columns.find(({ view }) => view.shot.id === shot.shot.id);
  const { memberId } = useCastView();
  const changed = cast.find(({ id }) => id === memberId && columns.some(({ cells }) => cells.get(memberId)?.isStale));
  const beyond = [...drifts.values()].filter((drift) => drift === 'beyond').length;
  const off = cast.length < MAX_CAST ? undefined : t`A film has at most ${MAX_CAST} in its cast.`;
  const add = () => {
    const id = crypto.randomUUID();
    board.sync.editContent(addMember(newMember(id, freeName(cast))));
    selectMember(id, true);
  };
  const showStale = () => {
    const stale = columns.find(({ cells }) => [...cells.values()].some((cell) => cell.isStale));
    if (!stale) return;
    selectShot(stale.view.shot.id);
    selectMember(undefined);
  };
  return (
    <div className={styles.tab}>
      <div className={`row ${styles.head}`}>
        <span className="t3 cut">
          {rich`${cast.length} in the cast, ${counted(board.shots.length, 'shot')}${beyond > 0 && t`. The first ${MOST_MEASURED} pairs of shot and cast are measured, ${beyond} are not.`}`}
        </span>
        <span className="grow" />
        <Legend />
        <Button off={off} onClick={add}>
          <Icon of={Plus} />
          {t`Add to the cast`}
        </Button>
      </div>
      {cast.length === 0 ? (
        <div className={styles.castNone}>
          <EmptyState title={t`Nobody is in the cast yet`}>
            {t`Add the people, things and places of the film, each with up to three pictures and a few words. Then name them in a shot with @.`}
          </EmptyState>
        </div>
      ) : (
        <Matrix
          board={board}
          drifts={drifts}
          columns={columns}
          cast={cast}
          shotId={memberId === undefined ? shot.shot.id : undefined}
        />
      )}
      {changed ? (
        <ChangedSheet board={board} columns={columns} member={changed} />
      ) : (
        column && cast.length > 0 && <SlotRow board={board} column={column} cast={cast} />
      )}
      <StaleSheets columns={columns} cast={cast} onShow={showStale} />
    </div>
  );
}

const Legend = () => (
  <span className={`row t3 ${styles.castLegend}`} aria-hidden="true">
    <span className={`${styles.cp} ${styles.sent}`}>
      <b>1</b>
    </span>
    {rich`sent, slot${<span className={`${styles.cp} ${styles.words}`}>{t`words`}</span>}${<span className={`${styles.cp} ${styles.out}`}>{t`out`}</span>}${(
      <span className={`${styles.drift} num`}>
        <b>2.1</b>
        <span>.04</span>
      </span>
    )}colour, shape`}
  </span>
);

interface StaleSheetsProps {
  columns: readonly CastColumn[];
  cast: readonly CastMember[];
  onShow: () => void;
}

/** Which shots play a take that was made from a picture that is not in use any more. */
function StaleSheets({ columns, cast, onShow }: StaleSheetsProps) {
  const stale = columns.filter(({ cells }) => [...cells.values()].some((cell) => cell.isStale));
  if (stale.length === 0) return null;
  const members = cast.filter(({ id }) => stale.some(({ cells }) => cells.get(id)?.isStale));
  const numbers = numbersOf(stale.map(({ view }) => view));
  return (
    <Status
      mark={<StaleCount count={stale.length} />}
      text={t`${listed(members.map(({ name }) => name.trim()))} ${members.length > 1 ? t`have other pictures` : t`has another picture`} now, so ${numbers} ${stale.length > 1 ? t`were` : t`was`} made from a sheet that is not in use.`}
    >
      <span className="grow" />
      <ActionButton variant="ghost" action="cast.stale" onDo={onShow}>
        {t`Show them`}
      </ActionButton>
    </Status>
  );
}

interface ChangedSheetProps {
  board: BoardHandle;
  columns: readonly CastColumn[];
  member: CastMember;
}

/** The picture that stale shots were sent with beside the one that is in use now, and how far they are apart. */
function ChangedSheet({ board, columns, member }: ChangedSheetProps) {
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
