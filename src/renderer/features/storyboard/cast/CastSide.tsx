import { Plus, SquareDashed } from 'lucide-react';
import { useState } from 'react';
import { shotTitle } from '../../../../shared/board.ts';
import type { CastMember } from '../../../../shared/cast.ts';
import { toSend } from '../../../../shared/casting.ts';
import { castOf, hashSent } from '../../../../shared/castSheets.ts';
import type { Share } from '../../../../shared/slotSharing.ts';
import { counted, t } from '../../../../shared/texts.ts';
import { AssetImage, Icon, IconButton, Menu, Panel, Section, WhyOff } from '../../../ui/index.ts';
import { SendBar } from '../inspector/SendBar.tsx';
import type { CastColumn } from '../model/castView.ts';
import { patchShot } from '../model/shots.ts';
import type { TakeView } from '../model/take.ts';
import type { ShotView } from '../model/view.ts';
import type { BoardTabProps } from '../tabProps.ts';
import type { BoardHandle } from '../useBoard.ts';
import { BoxDialog } from './BoxDialog.tsx';
import { colourWords, shapeWords, WHY } from './DriftFigures.tsx';
import { MemberPanel } from './MemberPanel.tsx';
import styles from './names.module.css';
import { ShotWords } from './ShotWords.tsx';
import { castOfBoard, selectMember, useCastView, useColumns } from './useCast.ts';
import { boxIn, driftKey, useDrift } from './useDrift.ts';

/** At the right of the matrix: the chosen shot with its cast, or the chosen member. */
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
    <Panel label={t`Shot and its cast`}>
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
  const pictures = shot.source === 'references' ? sent.referenceImages.length : 0;
  const words = sent.castUses.filter(({ slot }) => slot === undefined).length;
  const others = cast.filter(({ id }) => !shares.some(({ member }) => member.id === id));
  const name = (member: CastMember) => {
    const gap = shot.prompt === '' || shot.prompt.endsWith(' ') ? '' : ' ';
    board.sync.edit(patchShot(shot.id, { prompt: `${shot.prompt}${gap}@${member.name.trim()}` }));
  };
  return (
    <Section
      title={t`In this shot`}
      end={<span className="t3">{t`${counted(pictures, 'picture')}, ${words} in words`}</span>}
    >
      <div className={styles.chips}>
        {shares.map((share) => (
          <ShareChip key={share.member.id} board={board} share={share} />
        ))}
        {others.length > 0 && (
          <Menu
            label={t`Add to this shot`}
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
      {shares.length > 0 && <WhyOff>{goesOut(pictures, sent.castUses)}</WhyOff>}
      {shares.length > 0 && (
        <details className={styles.outText}>
          <summary className="t3">{t`What would be sent`}</summary>
          <p className="mono">{sent.prompt}</p>
        </details>
      )}
    </Section>
  );
}

/** What goes out, in one sentence. */
function goesOut(pictures: number, uses: readonly { name: string; words?: string | undefined }[]): string {
  const added = uses.flatMap(({ name, words }) => (words === undefined ? [] : [t`“${words}” for ${name}`]));
  const first = pictures === 0 ? t`no picture` : t`${counted(pictures, 'picture')}, in this order`;
  const second = added.length === 0 ? '' : t`, and ${added.join(', ')} added to the words`;
  return t`What goes out: ${first}${second}.`;
}

function ShareChip({ board, share: { member, slot, sheet, isLeftOut } }: { board: BoardHandle; share: Share }) {
  const asset = board.media.assets.get(member.sheets[sheet ?? 0]?.assetId ?? '');
  return (
    <button
      type="button"
      className={`${styles.castChip} ${isLeftOut ? styles.isOut : ''}`}
      onClick={() => selectMember(member.id)}
    >
      {slot !== undefined && asset ? <AssetImage asset={asset} /> : <i />}
      <span>{member.name.trim()}</span>
      <span className="t3">{slot ?? (isLeftOut ? 'out' : 'words')}</span>
    </button>
  );
}

/** What the take that plays was sent with: it stays so, whatever the cast becomes. */
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
              <td className="cut">
                {name}
                {sheet === undefined ? '' : t`, sheet ${sheet}`}
              </td>
              <td className="r mono t3">
                {slot === undefined
                  ? leftOut
                    ? t`left out`
                    : t`in words`
                  : (hashSent(take.job, slot)?.slice(0, 6) ?? t`not sent yet`)}
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

/** How far the take that plays is from the sheets: a measure, and never a verdict. */
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
    <Section title={t`How far from the sheets`} end={<span className="t3">{t`take ${view.active?.number}`}</span>}>
      <table className={`mini ${styles.far}`}>
        <thead>
          <tr className="t3">
            <td />
            <td className="r">{t`colour ΔE`}</td>
            <td className="r">{t`shape`}</td>
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
                <PlaceBox view={view} member={row.member} onPlace={() => setPlacing(row.member.id)} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <WhyOff>
        {t`Five main tones and the outline, inside the box you placed, else in the whole frame. No face is looked for, and no figure judges a take.`}
      </WhyOff>
      {member && clip && (
        <BoxDialog board={board} view={view} member={member} clip={clip} onClose={() => setPlacing(undefined)} />
      )}
    </Section>
  );
}

function PlaceBox({ view, member, onPlace }: Pick<HowFarProps, 'view'> & { member: CastMember; onPlace: () => void }) {
  const isPlaced = boxIn(view, member.id) !== undefined;
  const name = member.name.trim();
  return (
    <IconButton
      label={isPlaced ? t`The box of ${name}` : t`Place a box on ${name}`}
      className={isPlaced ? styles.placed : ''}
      onClick={onPlace}
    >
      <Icon of={SquareDashed} />
    </IconButton>
  );
}
