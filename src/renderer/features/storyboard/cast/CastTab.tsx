import { Plus } from 'lucide-react';
import { MAX_CAST } from '../../../../shared/cast.ts';
import { counted, t } from '../../../../shared/texts.ts';
import { Button, EmptyState, Icon, rich } from '../../../ui/index.ts';
import { addMember, freeName, newMember } from '../model/castEdits.ts';
import type { BoardTabProps } from '../tabProps.ts';
import { selectShot } from '../useBoard.ts';
import { ChangedSheet } from './ChangedSheet.tsx';
import styles from './cast.module.css';
import { Matrix } from './Matrix.tsx';
import { SlotRow } from './SlotRow.tsx';
import { StaleSheets } from './StaleSheets.tsx';
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
