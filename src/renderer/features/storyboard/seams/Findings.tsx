import { useState } from 'react';
import { parseInput } from '../../../../shared/contract/result.ts';
import {
  DEFAULT_SEAM_LIMITS,
  type SeamLimits,
  seamLimitsOf,
  seamLimitsSchema,
} from '../../../../shared/film/continuityLimits.ts';
import { t } from '../../../../shared/text/texts.ts';
import { Field, NumberInput, Section, TextAction } from '../../../ui/index.ts';
import { fieldText, reasonsOf } from '../../../words/index.ts';
import type { BoardHandle } from '../useBoard.ts';
import { MeasureFinding } from './SeamGraphs.tsx';
import { NAMES, type SeamMeasure, type SeamMeasureName, type SeamView } from './seam.ts';
import styles from './seams.module.css';

const ALL = ['frames', 'colour', 'sound'] as const;
export const TITLES: Record<SeamView['verdict'], string> = {
  jumps: t`Jump`,
  meets: t`Matches`,
  meant: t`Cut`,
  'not measured': t`Not measured`,
};

/** The three measures of a link, and the limit above which each counts as a jump in this film. */
export function Findings({ board, view: { seam, verdict } }: { board: BoardHandle; view: SeamView }) {
  const [isOpen, setOpen] = useState(false);
  if (verdict === 'not measured')
    return (
      <Section title={TITLES[verdict]}>
        <p>{seam.frames.why}</p>
      </Section>
    );
  return (
    <Section title={TITLES[verdict]}>
      <table className={`mini ${styles.fnd}`}>
        <tbody>
          {ALL.map((name) => (
            <Row key={name} name={name} of={seam[name]} />
          ))}
        </tbody>
      </table>
      {verdict === 'meant' && <p className="t3">{t`A hard cut is never flagged.`}</p>}
      <div className="row between">
        <span className="t3">{t`Limits`}</span>
        <TextAction aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? t`Close` : t`Change`}
        </TextAction>
      </div>
      {isOpen && <Limits board={board} />}
    </Section>
  );
}

const LABELS = { frames: t`Frames`, colour: t`Colour, ΔE`, sound: t`Sound, LU` } as const;

function Limits({ board }: { board: BoardHandle }) {
  const limits = seamLimitsOf(board.board);
  const [error, setError] = useState<{ name: SeamMeasureName; message: string }>();
  const set = (name: SeamMeasureName, value: number | null) => {
    const limit = value ?? DEFAULT_SEAM_LIMITS[name];
    const parsed = parseInput(seamLimitsSchema, { [name]: limit });
    const reason = parsed.ok ? undefined : reasonsOf(parsed.error)[0];
    setError(reason && { name, message: fieldText(NAMES[name], reason) });
    if (parsed.ok) board.sync.editContent((content) => ({ ...content, ...withLimit(content, name, limit) }));
  };
  return (
    <div className="row mt">
      {ALL.map((name) => (
        <Field key={name} label={LABELS[name]} error={error?.name === name ? error.message : undefined}>
          <NumberInput
            value={limits[name]}
            min={0}
            max={name === 'frames' ? 1 : 100}
            step={name === 'frames' ? 0.01 : 0.5}
            format={{ maximumFractionDigits: name === 'frames' ? 3 : 1 }}
            onValue={(value) => set(name, value)}
          />
        </Field>
      ))}
    </div>
  );
}

type Limited = Pick<NonNullable<BoardHandle['board']>, 'seamLimits'>;

/** The default limit is not stored, so that the film follows later changes of it. */
function withLimit({ seamLimits = {} }: Limited, name: keyof SeamLimits, limit: number): Limited {
  const { [name]: _, ...others } = seamLimits;
  return { seamLimits: limit === DEFAULT_SEAM_LIMITS[name] ? others : { ...others, [name]: limit } };
}

const Row = ({ name, of }: { name: SeamMeasureName; of: SeamMeasure }) => (
  <tr>
    <th scope="row">{NAMES[name]}</th>
    <td className="r">
      <MeasureFinding name={name} of={of} />
    </td>
    <td className="r t3">{of.finding !== 'none' && t`Limit ${of.above.toFixed(name === 'frames' ? 2 : 1)}`}</td>
  </tr>
);
