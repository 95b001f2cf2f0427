import { useState } from 'react';
import type { ProfileView } from '../../../../shared/profile.ts';
import { inflected, t } from '../../../../shared/texts.ts';
import type { SelfTest } from '../../../../shared/webhookCalls.ts';
import { announce, StepLine, useAction, useStudio } from '../../../app/index.ts';
import { call } from '../../../client/index.ts';
import { Button, formatCount, formatStamp, KeyValue } from '../../../ui/index.ts';
import { Group } from '../form.tsx';

const TRIAL_WORDS: Record<SelfTest['steps'][number]['name'], string> = {
  sent: t`Sent`,
  arrived: t`Arrived`,
  right: t`Secret`,
  wrong: t`Forged`,
  twice: t`Repeat`,
  large: t`Large`,
};

/** Whether a call from outside comes here, guarantee by guarantee. */
export function Webhooks({ profile }: { profile: ProfileView }) {
  const [trial, setTrial] = useState<SelfTest>();
  const address = useStudio((state) => state.info?.webhookAddress);
  const { refusal, run, isBusy } = useAction();
  const test = async () => {
    const answer = await run(call('webhooks.selfTest', { profileId: profile.id }));
    if (!answer.ok) return;
    setTrial(answer.data);
    const failed = answer.data.steps.filter(({ ok }) => !ok).length;
    announce(
      failed === 0
        ? t`Every guarantee of the receiver holds`
        : t`${failed} of its guarantees ${inflected(failed, 'does', 'do')} not hold`,
    );
  };
  return (
    <Group
      title={t`Webhooks`}
      text={t`A webhook only says “look now”. Without it Dailies asks every few seconds.`}
      refusal={refusal}
    >
      <div className="row between">
        <span className="mono cut">{profile.webhookBase ?? t`${address ?? ''} (this computer only)`}</span>
        <Button busy={isBusy} onClick={() => void test()}>
          {t`Test webhooks`}
        </Button>
      </div>
      {trial && (
        <>
          <ol className="steps">
            {trial.steps.map((step) => (
              <StepLine key={step.name} label={TRIAL_WORDS[step.name]} step={step} />
            ))}
          </ol>
          <Lately {...trial.lately} />
        </>
      )}
    </Group>
  );
}

const Lately = ({ since, useful, strange }: SelfTest['lately']) => (
  <section aria-label={t`Lately`}>
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
