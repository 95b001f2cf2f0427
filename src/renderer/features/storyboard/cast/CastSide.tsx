import { Plus, SquareDashed } from 'lucide-react';
import { useState } from 'react';
import { type Share, toSend } from '../../../../shared/board/assignReferences.ts';
import { shotTitle } from '../../../../shared/board/board.ts';
import type { CastMember } from '../../../../shared/board/cast.ts';
import { castOf, hashSent } from '../../../../shared/board/castReferences.ts';
import { t } from '../../../../shared/text/texts.ts';
import { AssetImage, Icon, IconButton, Menu, Panel, Section } from '../../../ui/index.ts';
import { SendBar } from '../inspector/SendBar.tsx';
import { patchShot } from '../model/shots.ts';
import type { ShotView, TakeView } from '../model/view.ts';
import type { BoardTabProps } from '../tabProps.ts';
import type { BoardHandle } from '../useBoard.ts';
import { BoxDialog } from './BoxDialog.tsx';
import { boxIn, colourWords, driftKey, shapeWords, useDrift, WHY } from './drift.tsx';
import { MemberPanel } from './MemberPanel.tsx';
import styles from './names.module.css';
import { ShotWords } from './ShotWords.tsx';
import { type CastColumn, castOfBoard, selectMember, useCastView, useColumns } from './useCast.ts';

/** Right of the matrix: the selected shot with its cast, or the selected member. */
export function CastSide(props: BoardTabProps) {
  const { board } = props;
  const { memberId } = useCastView();
  const member = castOfBoard(board).find(({ id }) => id === memberId);
  return member ? <MemberPanel key={member.id} {...props} member={member} /> : <ShotPanel {...props} />;
}

function ShotPanel({ board, shot: view }: BoardTabProps) {
  const cast = castOfBoard(board);
  const { shot, number } = view;
  const columns = useColumns(board);
  const shares = columns.find((column) => column.view.shot.id === shot.id)?.shares ?? [];
  return (
    <Panel label={t`Cast`}>
      <div className="bar">
        <h2>{t`Shot ${number}`}</h2>
        <span className="t3 cut">{shotTitle(shot)}</span>
      </div>
      <div className="scroll">
        <Section>
          <ShotWords board={board} view={view} />
        </Section>
        <InThisShot board={board} view={view} shares={shares} cast={cast} />
        <SentWith take={view.active} />
        <HowFar key={shot.id} board={board} view={view} columns={columns} cast={cast} />
      </div>
      <SendBar board={board} view={view} />
    </Panel>
  );
}

interface InThisShotProps {
  board: BoardHandle;
  view: BoardTabProps['shot'];
  shares: readonly Share[];
  cast: readonly CastMember[];
}

function InThisShot({ board, view: { shot }, shares, cast }: InThisShotProps) {
  const sent = toSend(shot, cast);
  const others = cast.filter(({ id }) => !shares.some(({ member }) => member.id === id));
  const name = (member: CastMember) => {
    const gap = shot.prompt === '' || shot.prompt.endsWith(' ') ? '' : ' ';
    board.sync.edit(patchShot(shot.id, { prompt: `${shot.prompt}${gap}@${member.name.trim()}` }));
  };
  return (
    <Section title={t`In this shot`}>
      <div className="row wrap mb">
        {shares.map((share) => (
          <ShareChip key={share.member.id} board={board} share={share} />
        ))}
        {others.length > 0 && (
          <Menu
            label={t`Add`}
            items={others.map((member) => ({ id: member.id, label: member.name.trim(), onSelect: () => name(member) }))}
            trigger={
              <button type="button" className={`${styles.castChip} ${styles.plus}`}>
                <Icon of={Plus} />
                <span>{t`Add`}</span>
              </button>
            }
          />
        )}
      </div>
      {shares.length > 0 && (
        <details className={`mt ${styles.outText}`}>
          <summary className="t3">{t`Request preview`}</summary>
          <p className="mono">{sent.prompt}</p>
        </details>
      )}
    </Section>
  );
}

function ShareChip({ board, share: { member, slot, sheet, isLeftOut } }: { board: BoardHandle; share: Share }) {
  const asset = board.media.assets.get(member.sheets[sheet ?? 0]?.assetId ?? '');
  return (
    <button
      type="button"
      className={`${styles.castChip} ${isLeftOut ? styles.isOut : ''}`}
      onClick={() => selectMember(member.id)}
    >
      {slot !== undefined && asset ? <AssetImage asset={asset} /> : <i className="no-pic" />}
      <span>{member.name.trim()}</span>
      <span className="t3">{slot ?? (isLeftOut ? 'out' : 'words')}</span>
    </button>
  );
}

/** The cast that the selected take was sent with, whatever the cast is now. */
function SentWith({ take }: { take: TakeView | undefined }) {
  const uses = castOf(take?.job);
  if (!take || !uses) return null;
  return (
    <Section title={t`Take ${take.number} was sent with`}>
      <table className={`mini ${styles.sent}`}>
        <tbody>
          {uses.map(({ memberId, name, slot, sheet, leftOut }) => (
            <tr key={memberId} className={slot === undefined ? 't3' : ''}>
              <td>{slot ?? '–'}</td>
              <td className="cut">{name}</td>
              <td className="t3">{sheet}</td>
              <td className="r mono t3">
                {slot === undefined
                  ? leftOut
                    ? t`Left out`
                    : t`Text only`
                  : (hashSent(take.job, slot)?.slice(0, 6) ?? '–')}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  );
}

interface HowFarProps {
  board: BoardHandle;
  view: ShotView;
  columns: readonly CastColumn[];
  cast: readonly CastMember[];
}

/** How far the selected take is from the reference images: a measurement, never a verdict. */
export function HowFar({ board, view, columns, cast }: HowFarProps) {
  const drifts = useDrift(board, columns, cast);
  const [placing, setPlacing] = useState<string>();
  const rows = cast.flatMap((member) => {
    const drift = drifts.get(driftKey(view.shot.id, member.id));
    return drift === undefined ? [] : [{ member, drift }];
  });
  if (rows.length === 0) return null;
  const member = cast.find(({ id }) => id === placing);
  const clip = view.active?.clip;
  return (
    <Section title={t`Difference from the references`}>
      <table className={`mini ${styles.far}`}>
        <thead>
          <tr className="t3">
            <td />
            <td className="r">{t`Colour, ΔE`}</td>
            <td className="r">{t`Shape`}</td>
            <td />
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.member.id}>
              <td className="cut">{row.member.name.trim()}</td>
              {typeof row.drift === 'string' ? (
                <td className="r" colSpan={2}>
                  {WHY[row.drift]}
                </td>
              ) : (
                <>
                  <td className="r num">{colourWords(row.drift.colour)}</td>
                  <td className="r num">{shapeWords(row.drift.shape)}</td>
                </>
              )}
              <td className="r">
                <IconButton
                  label={t`Box around ${row.member.name.trim()}`}
                  className={boxIn(view, row.member.id) ? styles.placed : ''}
                  onClick={() => setPlacing(row.member.id)}
                >
                  <Icon of={SquareDashed} />
                </IconButton>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {member && clip && (
        <BoxDialog board={board} view={view} member={member} clip={clip} onClose={() => setPlacing(undefined)} />
      )}
    </Section>
  );
}
