import { VERDICTS, type Verdict } from '../../../../shared/job.ts';
import { t } from '../../../../shared/texts.ts';
import { useKeyHint } from '../../../app/index.ts';
import { Button, Kbd, Segmented } from '../../../ui/index.ts';
import { VERDICT_WORDS } from '../../../words/index.ts';

interface VerdictBarProps {
  verdict: Verdict | undefined;
  onVerdict: (verdict: Verdict) => void;
  nextLabel: string;
  onNext: () => void;
  /** Takes the last verdict back; undefined where none was given. */
  onUndo: (() => void) | undefined;
}

/** One key each, and the way on. */
export function VerdictBar({ verdict, onVerdict, nextLabel, onNext, onUndo }: VerdictBarProps) {
  const hints = { keep: useKeyHint('verdict.keep'), maybe: useKeyHint('verdict.maybe'), no: useKeyHint('verdict.no') };
  const undoHint = useKeyHint('board.undo');
  return (
    <div className="sendbar">
      <Segmented
        full
        aria-label={t`Verdict`}
        value={verdict ?? null}
        onValue={onVerdict}
        options={VERDICTS.map((value) => ({
          value,
          name: VERDICT_WORDS[value].label,
          label: (
            <>
              {VERDICT_WORDS[value].label} <Kbd>{hints[value]}</Kbd>
            </>
          ),
        }))}
      />
      <div className="row">
        <Button variant="primary" className="grow" kbd={useKeyHint('judge.next')} onClick={onNext}>
          {nextLabel}
        </Button>
        {onUndo && (
          <Button variant="ghost" kbd={undoHint} onClick={onUndo}>
            {t`Undo`}
          </Button>
        )}
      </div>
    </div>
  );
}
