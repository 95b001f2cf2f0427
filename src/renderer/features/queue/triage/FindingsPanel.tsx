import { t } from '../../../../shared/texts.ts';
import type { TriageTake } from '../../../../shared/triage/calls.ts';
import { SHIPPED_TRIAGE_LIMITS } from '../../../../shared/triage/limits.ts';
import { useJob, useKeyHint } from '../../../app/index.ts';
import { Kbd, Panel } from '../../../ui/index.ts';
import { useTitleOf } from '../takeNames.tsx';
import { JudgeBar } from './JudgeBar.tsx';
import { Limits } from './Limits.tsx';
import { MakeAgain } from './MakeAgain.tsx';
import { keyOfFinding, type TakeGroups } from './takes.ts';
import type { TriageState } from './useTriage.ts';
import { FINDING_TITLES, findingText, timeText } from './words.ts';

interface FindingsPanelProps {
  triage: TriageState;
  groups: TakeGroups;
  take: TriageTake;
  finding: number;
  onFinding: (index: number) => void;
}

/** What was found in the take, the limits that name it, and the way to judge it: nothing here is judged by itself. */
export function FindingsPanel({ triage, groups, take, finding, onFinding }: FindingsPanelProps) {
  const { findings } = take;
  const keys = [useKeyHint('triage.finding1'), useKeyHint(`triage.finding${lastKey(findings.length)}`)];
  return (
    <Panel label={t`Findings`} className="insp">
      <div className="bar">
        <h2>{t`Found in it`}</h2>
        <span className="t3">{findings.length}</span>
        <span className="grow" />
        {findings.length > 0 && (
          <span className="t3">
            <Kbd>{keys[0]}</Kbd>
            {findings.length > 1 && (
              <>
                {' '}
                {t`to`} <Kbd>{keys[1]}</Kbd>
              </>
            )}{' '}
            {t`jump there`}
          </span>
        )}
      </div>
      <div className="scroll">
        <div className="sec fsec">
          {findings.length === 0 ? (
            <p className="fnone t2">
              {take.why ?? (take.state === 'waiting' ? t`It is being measured.` : t`Nothing above your limits.`)}
            </p>
          ) : (
            <ol className="fnds">
              {findings.map((one, index) => (
                <FindingRow
                  key={keyOfFinding(one)}
                  {...{ triage, take, index }}
                  isChosen={index === finding}
                  onChoose={() => onFinding(index)}
                />
              ))}
            </ol>
          )}
        </div>
        <Limits triage={triage} take={take} finding={findings[finding]} />
        {take.state === 'broken' && <MakeAgain take={take} />}
      </div>
      <JudgeBar triage={triage} groups={groups} take={take} />
    </Panel>
  );
}

type KeyNumber = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;
const lastKey = (count: number): KeyNumber => Math.min(9, Math.max(1, count)) as KeyNumber;

interface FindingRowProps {
  triage: TriageState;
  take: TriageTake;
  index: number;
  isChosen: boolean;
  onChoose: () => void;
}

function FindingRow({ triage, take, index, isChosen, onChoose }: FindingRowProps) {
  const given = useJob(take.given?.jobId);
  const titleOf = useTitleOf();
  const finding = take.findings[index];
  if (!finding) return null;
  const limits = triage.limits[take.projectId ?? '']?.limits ?? SHIPPED_TRIAGE_LIMITS;
  const context = { take, limits, givenName: given && titleOf(given) };
  return (
    <li className={isChosen ? 'on' : undefined}>
      <button type="button" aria-current={isChosen} onClick={onChoose}>
        <span className="tn">{index + 1}</span>
        <span className="grow">
          <span className="row">
            <b>{FINDING_TITLES[finding.kind]}</b>
            <span className="grow" />
            <span className="mono t3">{timeText(finding.at)}</span>
          </span>
          <span className="t2">{findingText(finding, context)}</span>
        </span>
      </button>
    </li>
  );
}
