import { Plus } from 'lucide-react';
import { shotTitle } from '../../../../shared/board.ts';
import type { CastMember } from '../../../../shared/cast.ts';
import { toSend } from '../../../../shared/casting.ts';
import { castOf, hashSent } from '../../../../shared/castSheets.ts';
import type { Share } from '../../../../shared/slotSharing.ts';
import { counted, t } from '../../../../shared/texts.ts';
import { AssetImage, Icon, Menu, Panel, Section, WhyOff } from '../../../ui/index.ts';
import { SendBar } from '../inspector/SendBar.tsx';
import { patchShot } from '../model/shots.ts';
import type { TakeView } from '../model/take.ts';
import type { BoardTabProps } from '../tabProps.ts';
import type { BoardHandle } from '../useBoard.ts';
import { HowFar } from './HowFar.tsx';
import { MemberPanel } from './MemberPanel.tsx';
import styles from './names.module.css';
import { ShotWords } from './ShotWords.tsx';
import { castOfBoard, selectMember, useCastView, useColumns } from './useCast.ts';

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
