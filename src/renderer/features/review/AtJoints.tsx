import { seamLimitsOf } from '../../../shared/seamLimits.ts';
import { t } from '../../../shared/texts.ts';
import { useMeasures } from '../../media/useMeasures.ts';
import { FindingGlyph, Section } from '../../ui/index.ts';
import type { TakeView } from '../storyboard/model/take.ts';
import type { ShotView } from '../storyboard/model/view.ts';
import type { BoardHandle } from '../storyboard/useBoard.ts';
import styles from './about.module.css';
import { clipsAtJoints, jointLines } from './takeJoints.ts';

interface AtJointsProps {
  board: BoardHandle;
  shot: ShotView;
  take: TakeView;
  beside: TakeView | undefined;
}

const SPOKEN = { level: 'meets, ', step: 'jumps, ', none: '' } as const;

/** How far the take that is looked at is from the shots around it; what is not measured is measured now. */
export function AtJoints({ board, shot, take, beside }: AtJointsProps) {
  const of = { shots: board.shots, shot, take, beside: beside?.clip?.id === take.clip?.id ? undefined : beside };
  const files = useMeasures(clipsAtJoints(of));
  const lines = jointLines({ ...of, files, limits: seamLimitsOf(board.board) });
  const alone = shot.shot.skipped ? t`The film leaves this shot out.` : t`No other shot is in the film.`;
  return (
    <Section title={t`Continuity`}>
      {lines.length === 0 ? (
        <p className="t3">{alone}</p>
      ) : (
        <table className={`mini ${styles.fnd}`}>
          <tbody>
            {lines.map(({ key, place, finding, figure, note, isSound }) => (
              <tr key={key}>
                <td>
                  <FindingGlyph of={finding} />
                </td>
                <th scope="row" className={isSound ? styles.loud : undefined}>
                  {place}
                  {finding === 'none' && note !== '' && <span className={`t3 ${styles.jointWhy}`}>{note}</span>}
                </th>
                <td className="r">
                  <span className="vh">{SPOKEN[finding]}</span>
                  {finding === 'step' ? <b>{figure}</b> : figure}
                </td>
                <td className="r t3">{finding !== 'none' && note}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Section>
  );
}
