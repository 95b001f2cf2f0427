import { useState } from 'react';
import type { ProfileView } from '../../../../shared/profile.ts';
import type { SelfTest } from '../../../../shared/webhookCalls.ts';
import { announce, navigate, StepLine, useAction, useStudio } from '../../../app/index.ts';
import { call } from '../../../client/index.ts';
import { Button, formatCount, formatStamp, Panel, Refusal, TextAction, WhyOff } from '../../../ui/index.ts';
import { TRIAL_WORDS } from './report.ts';

interface WebhooksProps {
  profile: ProfileView;
  trial: SelfTest | undefined;
  onTrial: (trial: SelfTest) => void;
}

/** Whether a call from outside comes here, guarantee by guarantee. */
export function Webhooks({ profile, trial, onTrial }: WebhooksProps) {
  const address = useStudio((state) => state.info?.webhookAddress);
  const [isBusy, setBusy] = useState(false);
  const { refusal, run } = useAction();
  const test = async () => {
    setBusy(true);
    const answer = await run(call('webhooks.selfTest', { profileId: profile.id }));
    setBusy(false);
    if (!answer.ok) return;
    onTrial(answer.data);
    const failed = answer.data.steps.filter(({ ok }) => !ok).length;
    announce(failed === 0 ? 'Every guarantee of the receiver holds' : `${failed} of its guarantees do not hold`);
  };
  return (
    <Panel label="Webhooks" className="insp2">
      <div className="bar">
        <h2>Webhooks</h2>
        <span className="grow" />
        <Button busy={isBusy} onClick={() => void test()}>
          {trial ? 'Test again' : 'Test'}
        </Button>
      </div>
      <div className="scroll">
        <section className="sec" aria-label="Public base">
          <div className="row between">
            <h3>Public base</h3>
            <TextAction onClick={() => navigate('settings', { section: 'profiles' })}>Set in the profile</TextAction>
          </div>
          <p className="mono">{profile.webhookBase ?? `${address ?? ''} (this machine only)`}</p>
          <p className="t3">A webhook only says “look now”. Without it Dailies asks by itself, every few seconds.</p>
        </section>
        <Refusal text={refusal} />
        {trial && (
          <>
            <h3 className="bar sub">Self-test {profile.webhookBase ? 'through it' : 'on this machine'}</h3>
            <ol className="steps">
              {trial.steps.map((step) => (
                <StepLine key={step.name} label={TRIAL_WORDS[step.name]} step={step} />
              ))}
            </ol>
            <Lately {...trial.lately} />
          </>
        )}
        <div className="pad">
          <WhyOff>The address carries a secret per job. It is never shown, logged or copied.</WhyOff>
        </div>
      </div>
    </Panel>
  );
}

function Lately({ since, useful, strange }: SelfTest['lately']) {
  return (
    <section className="sec" aria-label="Lately">
      <h3>Since {formatStamp(since)}</h3>
      <dl className="kv">
        <dt>Came for a job</dt>
        <dd className="nums">{formatCount(useful)}</dd>
        <dt>Wrong secret, or nobody’s</dt>
        <dd className="nums">{formatCount(strange)}</dd>
      </dl>
      {useful === 0 && <p className="t3">From the gateway itself none has come yet: that needs a job.</p>}
    </section>
  );
}
