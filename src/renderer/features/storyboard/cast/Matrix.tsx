import { RotateCcw } from 'lucide-react';
import { Fragment } from 'react';
import { MAX_SLOTS } from '../../../../shared/board/assignReferences.ts';
import { shotTitle } from '../../../../shared/board/board.ts';
import { type CastMember, MAX_CAST_REFERENCES } from '../../../../shared/board/cast.ts';
import { t } from '../../../../shared/text/texts.ts';
import { AssetImage, formatSeconds, Icon } from '../../../ui/index.ts';
import { type BoardHandle, selectShot } from '../useBoard.ts';
import styles from './cast.module.css';
import { type CellDrift, DriftFigures, type Drifts, driftKey, driftWords } from './drift.tsx';
import { type CastCell, type CastColumn, selectMember, useCastView } from './useCast.ts';

const KINDS = [
  { kind: 'person', title: t`People` },
  { kind: 'thing', title: t`Things` },
  { kind: 'place', title: t`Places` },
] as const;

interface MatrixProps {
  board: BoardHandle;
  drifts: Drifts;
  columns: readonly CastColumn[];
  cast: readonly CastMember[];
  /** The shot in the side panel. */
  shotId: string | undefined;
}

/** One row per member and one column per shot; arrow keys move between filled cells. */
export function Matrix({ board, columns, cast, shotId, drifts }: MatrixProps) {
  return (
    <div className={`scroll ${styles.castScroll}`}>
      <table className={styles.matrix} style={{ minWidth: `${286 + columns.length * 86}px` }}>
        <thead>
          <tr>
            <th scope="col">
              <span className="lab">{t`Shots`}</span>
            </th>
            {columns.map(({ view }) => (
              <th key={view.shot.id} scope="col" className={view.shot.id === shotId ? styles.isChosen : ''}>
                <ShotHead board={board} column={view} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {KINDS.map(({ kind, title }) => {
            const members = cast.filter((member) => member.kind === kind);
            return (
              members.length > 0 && (
                <Fragment key={kind}>
                  <tr className={styles.kind}>
                    <th colSpan={columns.length + 1} scope="colgroup">
                      {title} <span className="t3">{members.length}</span>
                    </th>
                  </tr>
                  {members.map((member) => (
                    <MemberRow key={member.id} {...{ board, member, columns, shotId, drifts }} />
                  ))}
                </Fragment>
              )
            );
          })}
        </tbody>
        <Slots columns={columns} shotId={shotId} />
      </table>
    </div>
  );
}

function showShot(shotId: string): void {
  selectShot(shotId);
  selectMember(undefined);
}

function ShotHead({ board, column }: { board: BoardHandle; column: CastColumn['view'] }) {
  const { shot, number, active, span } = column;
  const clip = active?.clip;
  return (
    <button type="button" onClick={() => showShot(shot.id)}>
      <span className="vh">{t`Shot ${number}, ${shotTitle(shot)}`}</span>
      <span className="media">
        <AssetImage asset={clip && (board.media.assets.get(clip.id) ?? clip)} className="fill" />
        <span className="ov tl" aria-hidden="true">
          {number}
        </span>
        <span className="ov br">{formatSeconds(span.seconds)}</span>
      </span>
    </button>
  );
}

function MemberRow({ board, member, columns, shotId, drifts }: Omit<MatrixProps, 'cast'> & { member: CastMember }) {
  const isChosen = useCastView((view) => view.memberId === member.id);
  const name = member.name.trim();
  return (
    <tr className={isChosen ? styles.isChosen : ''}>
      <th scope="row">
        <button type="button" className={styles.member} aria-pressed={isChosen} onClick={() => selectMember(member.id)}>
          <span className={styles.sheets}>
            {Array.from({ length: MAX_CAST_REFERENCES }, (_, index) => member.sheets[index]).map((reference, index) => (
              <span key={reference?.assetId ?? index} className={reference ? undefined : 'no-pic'}>
                {reference && <AssetImage asset={board.media.assets.get(reference.assetId)} className="fill" />}
              </span>
            ))}
          </span>
          <span className="col">
            <b className="cut">{name}</b>
            <span className="t3 cut">{member.words.trim() || t`No description`}</span>
          </span>
        </button>
      </th>
      {columns.map(({ view, cells }) => (
        <td key={view.shot.id} className={view.shot.id === shotId ? styles.isChosen : ''}>
          <Cell
            board={board}
            name={name}
            view={view}
            cell={cells.get(member.id)}
            drift={drifts.get(driftKey(view.shot.id, member.id))}
          />
        </td>
      ))}
    </tr>
  );
}

interface CellProps {
  board: BoardHandle;
  name: string;
  view: CastColumn['view'];
  cell: CastCell | undefined;
  drift: CellDrift | undefined;
}

function Cell({ board, name, view, cell, drift }: CellProps) {
  if (!cell) return <span className={styles.absent} />;
  const { use, isPlanned, isStale } = cell;
  const words = [cellWords(name, view.number, cell), driftWords(drift)].filter(Boolean).join(', ');
  return (
    <button
      type="button"
      className={`${styles.cell} ${isStale ? styles.isStale : ''}`}
      onClick={() => showShot(view.shot.id)}
    >
      <span className="vh">{words}</span>
      {use.slot === undefined ? (
        <span className={`${styles.cp} ${use.leftOut ? styles.out : styles.words}`} aria-hidden="true">
          {use.leftOut ? t`Left out` : t`Text only`}
        </span>
      ) : (
        <span className={`${styles.cp} ${isPlanned ? styles.isPlanned : ''}`} aria-hidden="true">
          <AssetImage asset={board.media.assets.get(use.assetId ?? '')} className="fill" />
          <b className="ov tl">{use.slot}</b>
          {isStale && (
            <span className="ov br">
              <Icon of={RotateCcw} />
            </span>
          )}
        </span>
      )}
      {isPlanned ? <span className="t3">{t`Next take`}</span> : <DriftFigures drift={drift} />}
    </button>
  );
}

function cellWords(name: string, number: number, { use, isPlanned, isStale }: CastCell): string {
  const how = use.slot === undefined ? (use.leftOut ? t`Left out` : t`Text only`) : t`Reference ${use.slot}`;
  const marks = [how, isPlanned && t`Next take`, isStale && t`Outdated`].filter(Boolean);
  return t`${name} in shot ${number}: ${marks.join(', ')}`;
}

const SOURCE_WORDS = {
  text: t`Text only`,
  first: t`First frame`,
  firstLast: t`First and last frame`,
  extend: t`Clip to extend`,
} as const;

/** How many of its three slots each shot fills. */
function Slots({ columns, shotId }: { columns: readonly CastColumn[]; shotId: string | undefined }) {
  return (
    <tfoot>
      <tr>
        <th scope="row">
          <span className="lab">{t`References`}</span>
        </th>
        {columns.map(({ view, shares }) => (
          <td key={view.shot.id} className={view.shot.id === shotId ? styles.isChosen : ''}>
            {view.shot.source === 'references' ? (
              <Filled
                used={Math.max(view.shot.referenceImages.length, ...shares.map(({ slot = 0 }) => slot))}
                out={shares.filter(({ isLeftOut }) => isLeftOut).length}
              />
            ) : (
              <span className="t3">{SOURCE_WORDS[view.shot.source]}</span>
            )}
          </td>
        ))}
      </tr>
    </tfoot>
  );
}

function Filled({ used, out }: { used: number; out: number }) {
  return (
    <span className="row gap-s">
      <span className={styles.squares} aria-hidden="true">
        {Array.from({ length: MAX_SLOTS }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a slot is its place.
          <i key={index} className={index < used ? styles.f : ''} />
        ))}
        {out > 0 && <i className={styles.o} />}
      </span>
      <span className={out > 0 ? '' : 't3'}>{out > 0 ? t`${out} left out` : t`${used} of ${MAX_SLOTS}`}</span>
    </span>
  );
}
