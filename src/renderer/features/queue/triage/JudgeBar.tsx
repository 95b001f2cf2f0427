import { VERDICTS, type Verdict } from '../../../../shared/job.ts';
import { counted, t } from '../../../../shared/texts.ts';
import type { TriageTake } from '../../../../shared/triage/calls.ts';
import {
  announce,
  navigate,
  saveVerdict,
  useIsOnControl,
  useJob,
  useKeyHint,
  useShortcut,
} from '../../../app/index.ts';
import { Button, Kbd, Segmented } from '../../../ui/index.ts';
import { VERDICT_WORDS } from '../../../words/index.ts';
import type { TakeGroups } from './takes.ts';
import type { TriageState } from './useTriage.ts';

interface JudgeBarProps {
  triage: TriageState;
  groups: TakeGroups;
  take: TriageTake;
}

/** As many as an address holds. */
const MOST_FIRST = 200;

/** The verdict of this take, and the way to judge all of them one after the other. */
export function JudgeBar({ triage, groups, take }: JudgeBarProps) {
  const { run, takes } = triage;
  const isOnControl = useIsOnControl();
  const clean = [...new Set(groups.clean.map(({ jobId }) => jobId))];
  const judge = (first: readonly string[] = []) => {
    if (!run) return;
    const order: Record<string, string> = first.length > 0 ? { first: first.slice(0, MOST_FIRST).join(',') } : {};
    navigate('queue', { run: run.id, state: 'judge', ...order }, 'night');
  };
  useShortcut('triage.judge', () => judge(), run !== undefined && !isOnControl);
  const hint = useKeyHint('triage.judge');
  const jobs = new Set(takes.map(({ jobId }) => jobId)).size;
  return (
    <div className="sendbar">
      <Verdicts take={take} />
      {run && (
        <div className="row">
          <Button variant="primary" className="grow" kbd={hint} onClick={() => judge()}>
            {t`Judge ${counted(jobs, 'take')}`}
          </Button>
          {clean.length > 0 && clean.length < jobs && (
            <Button onClick={() => judge(clean)}>{t`Clean ${clean.length} first`}</Button>
          )}
        </div>
      )}
    </div>
  );
}

function Verdicts({ take }: { take: TriageTake }) {
  const job = useJob(take.jobId);
  const hints = { keep: useKeyHint('verdict.keep'), maybe: useKeyHint('verdict.maybe'), no: useKeyHint('verdict.no') };
  const judge = async (verdict: Verdict) => {
    const next = job?.verdict === verdict ? undefined : verdict;
    if (!(await saveVerdict(take.jobId, next))) return;
    announce(next ? VERDICT_WORDS[next].judged : t`verdict taken back`);
  };
  useShortcut('verdict.keep', () => void judge('keep'));
  useShortcut('verdict.maybe', () => void judge('maybe'));
  useShortcut('verdict.no', () => void judge('no'));
  return (
    <Segmented
      full
      aria-label={t`Verdict`}
      value={job?.verdict ?? null}
      onValue={(verdict) => void judge(verdict)}
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
  );
}
