import { useEffect, useState } from 'react';
import type { ConnectionTest } from '../../../../shared/connection.ts';
import type { ProfileView } from '../../../../shared/profile.ts';
import { counted, t } from '../../../../shared/texts.ts';
import type { SelfTest } from '../../../../shared/webhookCalls.ts';
import {
  ActionButton,
  announce,
  copyText,
  navigate,
  StepLine,
  useAction,
  useCall,
  useOneAtATime,
  useRoute,
  useStudio,
} from '../../../app/index.ts';
import { call } from '../../../client/index.ts';
import { Button, EmptyState, formatClockSeconds, Reading, Refusal, TextAction } from '../../../ui/index.ts';
import { STEP_WORDS } from '../../../words/index.ts';
import styles from './doctor.module.css';
import { Found } from './Found.tsx';
import { CHECK_WORDS, countWords, reportText } from './report.ts';
import { Webhooks } from './Webhooks.tsx';

/** A connection examined: each step with its time, what was changed in the dialect and how that is known, and the way of webhooks. */
export function Doctor() {
  const { params } = useRoute();
  const profiles = useStudio((state) => state.profiles);
  const activeId = useStudio((state) => state.activeProfileId);
  const profile = profiles.find(({ id }) => id === (params.get('profile') ?? activeId));
  if (!profile) return <EmptyState title={t`There is no such gateway`}>{t`Choose one under Profiles.`}</EmptyState>;
  return <Examination key={profile.id} profile={profile} />;
}

function useExamination(profile: ProfileView) {
  const [test, setTest] = useState<ConnectionTest>();
  const [at, setAt] = useState<number>();
  const { refusal, run, isBusy } = useAction();
  const examine = useOneAtATime(async () => {
    const answer = await run(call('profiles.testConnection', { id: profile.id }));
    if (!answer.ok) return;
    setTest(answer.data);
    setAt(Date.now());
    announce(t`The connection was examined: ${countWords(answer.data)}`);
  });
  // It was opened to be examined; nothing of that is billed.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each profile.
  useEffect(() => void examine(), [profile.id]);
  return { test, at, isBusy, refusal, run, examine };
}

type Handle = ReturnType<typeof useExamination>;

function Examination({ profile }: { profile: ProfileView }) {
  const handle = useExamination(profile);
  const { test, at, isBusy, refusal, examine } = handle;
  const [trial, setTrial] = useState<SelfTest>();
  const version = useStudio((state) => state.info?.version ?? '');
  const found = useCall('profiles.found', { id: profile.id }, { on: ['profiles.changed'] });
  const copy = () => {
    if (test && at !== undefined) void copyText(reportText(profile, test, { at, trial, version }), 'report');
  };
  return (
    <>
      <section className="col" aria-label={t`Doctor of ${profile.name}`} data-panel tabIndex={-1}>
        <div className="bar">
          <h2>{profile.name}</h2>
          <span className="t3 cut">
            {at === undefined ? t`being examined` : t`doctor, ${formatClockSeconds(at)}, nothing billed`}
          </span>
          <span className="grow" />
          <Button variant="ghost" className={styles.back} onClick={() => navigate('settings', { section: 'profiles' })}>
            {t`Back to the profile`}
          </Button>
          <Button variant="ghost" off={test ? undefined : t`It is being examined.`} onClick={copy}>
            {t`Copy report, no secrets`}
          </Button>
          <ActionButton action="settings.again" busy={isBusy} onDo={() => void examine()}>
            {t`Run again`}
          </ActionButton>
        </div>
        <div className="scroll">
          <Refusal text={refusal} />
          <Reading of={{ data: test, loading: isBusy }} rows={8} label={t`Examining the connection`}>
            {(steps) => <Steps profile={profile} test={steps} handle={handle} />}
          </Reading>
          <Found profile={profile} found={test?.found ?? found.data?.found ?? []} onUndone={() => void examine()} />
        </div>
      </section>
      <Webhooks profile={profile} trial={trial} onTrial={setTrial} />
    </>
  );
}

const Steps = ({ profile, test, handle }: { profile: ProfileView; test: ConnectionTest; handle: Handle }) => (
  <>
    <h3 className="bar sub">
      {t`Connection`} <span className="t3">{countWords(test)}</span>
    </h3>
    <ol className={`steps ${styles.docSteps}`}>
      {test.steps.map((step) => (
        <StepLine key={step.name} label={STEP_WORDS[step.name]} step={step} isDoubt={step.name === 'model'}>
          {step.name === 'model' && !step.ok && <TakeOut profile={profile} test={test} handle={handle} />}
        </StepLine>
      ))}
      {(test.checks ?? []).map((check) => (
        <StepLine key={check.name} label={CHECK_WORDS[check.name]} step={check}>
          {check.name === 'images' && !check.ok && <OtherHeaders profile={profile} test={test} handle={handle} />}
        </StepLine>
      ))}
    </ol>
  </>
);

interface CureProps {
  profile: ProfileView;
  test: ConnectionTest;
  handle: Handle;
}

/** Lists leave models out: the first job would tell. Who knows better takes them out. */
function TakeOut({ profile, test: { missing = [] }, handle: { run, examine } }: CureProps) {
  if (missing.length === 0 || profile.builtin) return null;
  const takeOut = async () => {
    const models = profile.models.filter(({ id }) => !missing.includes(id));
    const saved = await run(call('profiles.save', { id: profile.id, models }));
    if (saved.ok) await examine();
  };
  return (
    <TextAction onClick={() => void takeOut()}>
      {t`Take ${missing.length === 1 ? t`it` : t`the ${missing.length}`} out`}
    </TextAction>
  );
}

function OtherHeaders({ profile, test: { untriedHeaders = [] }, handle: { run, isBusy, examine } }: CureProps) {
  const [said, setSaid] = useState<string>();
  const tryOthers = async () => {
    const answer = await run(call('profiles.tryImageHeaders', { id: profile.id }));
    if (!answer.ok) return;
    const { accepted, tried } = answer.data;
    const words =
      accepted === null
        ? t`None of ${counted(tried.length, 'name')} is taken.`
        : t`${accepted} is taken, and is tried first from now on.`;
    setSaid(words);
    announce(words);
    if (accepted !== null) await examine();
  };
  return (
    <>
      {said && <span className="t2">{said}</span>}
      {untriedHeaders.length > 0 && !profile.builtin && (
        <Button
          busy={isBusy}
          title={t`Each alone, by asking for a task that does not exist; nothing is billed`}
          onClick={() => void tryOthers()}
        >
          {t`Try ${counted(untriedHeaders.length, 'other name')}, unbilled`}
        </Button>
      )}
      <TextAction onClick={() => navigate('settings', { section: 'profiles' })}>{t`Name it myself`}</TextAction>
    </>
  );
}
