import type { FilmLevel } from '../../../../shared/film/sound/filmLevel.ts';
import { HIGHEST_PEAK_DB, targetOf } from '../../../../shared/film/sound/levels.ts';
import { t } from '../../../../shared/text/texts.ts';
import { Field, formatLevel, formatStep, KeyValue, Section, Segmented } from '../../../ui/index.ts';
import type { BoardHandle } from '../useBoard.ts';
import { setLoudness } from './soundEdits.ts';
import type { FilmSound } from './useFilmSound.ts';

/** The loudness of the film and of its export. No take is changed. */
export function LoudnessPanel({ board, sound: { level, fault, wanted } }: { board: BoardHandle; sound: FilmSound }) {
  return (
    <Section title={t`Loudness of the film`}>
      <div className="stack">
        <KeyValue items={figuresOf(level, fault)} />
        <LoudnessChoice board={board} target={targetOf(wanted)} />
      </div>
    </Section>
  );
}

/** EBU R 128, and the levels that video and music services use. */
const TARGETS = [-23, -16, -14];
const AS_IT_CAME = 'off';

/** The loudness of the export. Stored on the board, where it can be undone. */
export function LoudnessChoice({ board, target }: { board: BoardHandle; target: number | undefined }) {
  const targets = target === undefined || TARGETS.includes(target) ? TARGETS : [...TARGETS, target];
  return (
    <Field label={t`Loudness in LUFS`}>
      <Segmented
        full
        value={target === undefined ? AS_IT_CAME : String(target)}
        onValue={(value) =>
          board.sync.editContent(setLoudness(value === AS_IT_CAME ? { isOff: true } : { target: Number(value) }))
        }
        options={[
          ...targets.map((lufs) => ({ value: String(lufs), label: formatLevel(lufs) })),
          { value: AS_IT_CAME, label: t`Off` },
        ]}
      />
    </Field>
  );
}

/** Without levelling, the exported loudness is shown; with it, the loudness before. */
function figuresOf(level: FilmLevel | undefined, fault: string | undefined): [string, string | undefined][] {
  if (level?.lufs == null || level.leaves === null) {
    return [[t`Whole film`, level ? t`Silent` : fault === undefined ? t`Being measured` : t`Not measured. ${fault}`]];
  }
  const { target, lufs, leaves, gainDb, peakDb, over } = level;
  const by = target === undefined || Math.abs(gainDb) < TOLD ? undefined : formatStep(gainDb, 'dB');
  return [
    [t`Whole film`, t`${formatLevel(target === undefined ? leaves : lufs, 1)} LUFS`],
    [t`In the export`, by],
    // The upper limit for the export: peaks of several sounds seldom coincide.
    [t`True peak`, `${formatLevel(over < TOLD ? peakDb : HIGHEST_PEAK_DB, 1)} dBTP`],
  ];
}

/** In dB; smaller reductions are not shown. */
const TOLD = 0.05;
