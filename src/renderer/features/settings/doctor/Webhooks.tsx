import type { ProfileView } from '../../../../shared/profile.ts';
import { inflected, t } from '../../../../shared/texts.ts';
import type { SelfTest } from '../../../../shared/webhookCalls.ts';
import { announce, navigate, StepLine, useAction, useStudio } from '../../../app/index.ts';
import { call } from '../../../client/index.ts';
import { Button, formatCount, formatStamp, KeyValue, Panel, Refusal, TextAction, WhyOff } from '../../../ui/index.ts';
import { TRIAL_WORDS } from './report.ts';

interface WebhooksProps {
  profile: ProfileView;
  trial: SelfTest | undefined;
  onTrial: (trial: SelfTest) => void;
}

/** Whether a call from outside comes here, guarantee by guarantee. */
export function Webhooks({ profile, trial, onTrial }: WebhooksProps) {
  const address = useStudio((state) => state.info?.webhookAddress);
  const { refusal, run, isBusy } = useAction();
  const test = async () => {
    const answer = await run(call('webhooks.selfTest', { profileId: profile.id }));
    if (!answer.ok) return;
    onTrial(answer.data);
    const failed = answer.data.steps.filter(({ ok }) => !ok).length;
    announce(
      failed === 0
        ? t`Every guarantee of the receiver holds`
        : t`${failed} of its guarantees ${inflected(failed, 'does', 'do')} not hold`,
    );
  };
  return (
    <Panel label={t`Webhooks`}>
      <div className="bar">
        <h2>{t`Webhooks`}</h2>
        <span className="grow" />
        <Button busy={isBusy} onClick={() => void test()}>
          {trial ? t`Test again` : t`Test`}
        </Button>
      </div>
      <div className="scroll">
        <section className="sec" aria-label={t`Public base`}>
          <div className="row between">
            <h3>{t`Public base`}</h3>
            <TextAction
              onClick={() => navigate('settings', { section: 'profiles' })}
            >{t`Set in the profile`}</TextAction>
          </div>
          <p className="mono">{profile.webhookBase ?? t`${address ?? ''} (this machine only)`}</p>
          <p className="t3">{t`A webhook only says “look now”. Without it Dailies asks by itself, every few seconds.`}</p>
        </section>
        <Refusal text={refusal} />
        {trial && (
          <>
            <h3 className="bar sub">{t`Self-test ${profile.webhookBase ? t`through it` : t`on this machine`}`}</h3>
            <ol className="steps">
              {trial.steps.map((step) => (
                <StepLine key={step.name} label={TRIAL_WORDS[step.name]} step={step} />
              ))}
            </ol>
            <Lately {...trial.lately} />
          </>
        )}
        <div className="pad">
          <WhyOff>{t`The address carries a secret per job. It is never shown, logged or copied.`}</WhyOff>
        </div>
      </div>
    </Panel>
  );
}

const Lately = ({ since, useful, strange }: SelfTest['lately']) => (
  <section className="sec" aria-label={t`Lately`}>
    <h3>{t`Since ${formatStamp(since)}, of all gateways`}</h3>
    <KeyValue
      items={[
        [t`Came for a job`, formatCount(useful)],
        [t`Wrong secret, or nobody’s`, formatCount(strange)],
      ]}
    />
    {useful === 0 && <p className="t3">{t`From no gateway has one come yet: that needs a job.`}</p>}
  </section>
);
