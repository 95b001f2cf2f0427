import { t } from '../../../../shared/texts.ts';
import { Field, Segmented } from '../../../ui/index.ts';
import { setLoudness } from '../sound/soundEdits.ts';
import type { ExportPanelProps } from './exportProps.ts';
import { leavesAt, lufsText } from './filmLoudness.ts';

/** EBU R 128, and what players of films and of music on the net level to. */
const TARGETS = [-23, -16, -14];
const AS_IT_CAME = 'off';

/** The loudness of the film belongs to the board: the Sound tab shows the same, and it can be undone there. */
export function LoudnessChoice({ board, way, preflight }: Pick<ExportPanelProps, 'board' | 'way' | 'preflight'>) {
  const target = leavesAt(board.board?.sound?.loudness, { way, soundEncoded: preflight.soundEncoded });
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
          ...targets.map((lufs) => ({ value: String(lufs), label: lufsText(lufs) })),
          { value: AS_IT_CAME, label: t`As it came` },
        ]}
      />
    </Field>
  );
}
