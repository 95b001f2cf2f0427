import { Plus } from 'lucide-react';
import { type CastMember, MAX_CAST } from '../../../../shared/board/cast.ts';
import { listed, t } from '../../../../shared/text/texts.ts';
import { ActionButton } from '../../../app/index.ts';
import { driftOf } from '../../../media/measure/drift.ts';
import { useMeasures } from '../../../media/useMeasures.ts';
import { AssetImage, Button, EmptyState, Icon, KeyValue } from '../../../ui/index.ts';
import { Status } from '../controls.tsx';
import { shotsText } from '../link/chains.ts';
import { StaleCount } from '../link/Ripple.tsx';
import { addMember, freeName, newMember } from '../model/castEdits.ts';
import type { BoardTabProps } from '../tabProps.ts';
import { type BoardHandle, selectShot } from '../useBoard.ts';
import styles from './cast.module.css';
import { colourWords, shapeWords, useDrift } from './drift.tsx';
import { Matrix } from './Matrix.tsx';
import { SlotRow } from './SlotRow.tsx';
import { type CastColumn, castOfBoard, selectMember, useCastView, useColumns } from './useCast.ts';

/** The cast: who and what is in which shots, and how each is sent. */
export function CastTab({ board, shot }: BoardTabProps) {
  const cast = castOfBoard(board);
  const columns = useColumns(board);
  const drifts = useDrift(board, columns, cast);
  const column = columns.find(({ view }) => view.shot.id === shot.shot.id);
  const { memberId } = useCastView();
  const changed = cast.find(({ id }) => id === memberId && columns.some(({ cells }) => cells.get(memberId)?.isStale));
  const off = cast.length < MAX_CAST ? undefined : t`A film has at most ${MAX_CAST} cast members.`;
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
      <div className="bar">
        <span className="grow" />
        <Button off={off} onClick={add}>
          <Icon of={Plus} />
          {t`Add to the cast`}
        </Button>
      </div>
      {cast.length === 0 ? (
        <EmptyState title={t`No cast members yet`}>
          {t`Add people, things and places. Name them in a prompt with @.`}
        </EmptyState>
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
        <ChangedReference board={board} columns={columns} member={changed} />
      ) : (
        column && cast.length > 0 && <SlotRow board={board} column={column} cast={cast} />
      )}
      <StaleReferences columns={columns} cast={cast} onShow={showStale} />
    </div>
  );
}

interface StaleReferencesProps {
  columns: readonly CastColumn[];
  cast: readonly CastMember[];
  onShow: () => void;
}

/** The shots whose selected take was made from a reference image that is no longer used. */
function StaleReferences({ columns, cast, onShow }: StaleReferencesProps) {
  const stale = columns.filter(({ cells }) => [...cells.values()].some((cell) => cell.isStale));
  if (stale.length === 0) return null;
  const members = cast.filter(({ id }) => stale.some(({ cells }) => cells.get(id)?.isStale));
  return (
    <Status
      mark={<StaleCount count={stale.length} />}
      text={t`New reference of ${listed(members.map(({ name }) => name.trim()))}: ${shotsText(stale.map(({ view }) => view))} used the old one.`}
    >
      <span className="grow" />
      <ActionButton variant="ghost" action="cast.stale" onDo={onShow}>
        {t`Show them`}
      </ActionButton>
    </Status>
  );
}

interface ChangedReferenceProps {
  board: BoardHandle;
  columns: readonly CastColumn[];
  member: CastMember;
}

/** The old and the new reference image of outdated shots, and how far apart they are. */
function ChangedReference({ board, columns, member }: ChangedReferenceProps) {
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
  const title = t`Reference ${use.sheet ?? 1} of ${member.name.trim()}`;
  return (
    <section className="top-line" aria-label={title}>
      <div className="bar sub">
        <h2>{title}</h2>
      </div>
      <div className={styles.changed}>
        <Picture label={t`Before`} asset={was} />
        <Picture label={now ? t`Now` : t`None`} asset={now} />
        <KeyValue
          items={[
            [
              t`Difference`,
              apart ? t`ΔE ${colourWords(apart.colour)}, shape ${shapeWords(apart.shape)}` : t`Not measured`,
            ],
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
