import { SquareDashed } from 'lucide-react';
import { useState } from 'react';
import type { CastMember } from '../../../../shared/cast.ts';
import { t } from '../../../../shared/texts.ts';
import { Icon, IconButton, Section, WhyOff } from '../../../ui/index.ts';
import type { CastColumn } from '../model/castView.ts';
import type { ShotView } from '../model/view.ts';
import type { BoardHandle } from '../useBoard.ts';
import { BoxDialog } from './BoxDialog.tsx';
import { colourWords, shapeWords, WHY } from './DriftFigures.tsx';
import styles from './names.module.css';
import { boxIn, driftKey, useDrift } from './useDrift.ts';

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
