import { useState } from 'react';
import type { SelfTest } from '../../../../shared/gateway/webhookCalls.ts';
import { counted, t } from '../../../../shared/text/texts.ts';
import { announce, useAction } from '../../../app/index.ts';
import { call } from '../../../client/index.ts';
import { Button, Field, TextAction, TextInput } from '../../../ui/index.ts';
import { Result, ResultList } from '../connect/Results.tsx';
import { Group } from '../form.tsx';
import { DialectFields } from './DialectFields.tsx';
import type { TabProps } from './tabs.ts';
import type { Fields } from './useFields.ts';

/** Settings that only unusual gateways need. */
export function Advanced({ fields }: TabProps) {
  const { draft, change, faults, off, profile } = fields;
  return (
    <>
      <Group title={t`Requests`}>
        <div className="g2">
          <DialectFields {...fields} place="advanced" />
        </div>
      </Group>
      {!off && (
        <Group title={t`More secrets`} text={t`Stored like the key, never shown again.`}>
          <Field label={t`Bot token`} error={faults.botToken}>
            <TextInput
              mono
              type="password"
              autoComplete="off"
              value={draft.botToken}
              onValue={(botToken) => change({ botToken })}
              placeholder={profile.hasBotToken ? '••••••••' : t`None`}
            />
          </Field>
          <ExtraHeaders {...fields} />
        </Group>
      )}
      <Webhooks {...fields} />
    </>
  );
}

/** Headers for a proxy in front of the gateway. Their values are write-only; each is stored as it is added. */
function ExtraHeaders({ draft, change, faults, profile }: Fields) {
  const headers = Object.entries(draft.extraHeaders);
  const keep = (other: string, added: Record<string, string> = {}) => {
    const rest = headers.filter(([name]) => name.toLowerCase() !== other.toLowerCase());
    change({ extraHeaders: { ...Object.fromEntries(rest), ...added } });
  };
  return (
    <Field className="span" label={t`Extra headers`} error={faults.extraHeaders}>
      <div className="col gap-s">
        {headers.map(([name, value]) => {
          const isMissing = value === null && profile.missingHeaders.includes(name);
          return (
            <span key={name} className="in">
              <span className="mono cut">{name}</span>
              <span className={isMissing ? 'grow err' : 'grow t3'}>
                {isMissing ? t`Value lost. Remove and add it again.` : t`Stored, not shown`}
              </span>
              <TextAction aria-label={t`Remove the header ${name}`} onClick={() => keep(name)}>
                {t`Remove`}
              </TextAction>
            </span>
          );
        })}
        <NewHeader onAdd={(name, value) => keep(name, { [name]: value })} />
      </div>
    </Field>
  );
}

function NewHeader({ onAdd }: { onAdd: (name: string, value: string) => void }) {
  const [name, setName] = useState('');
  const [value, setValue] = useState('');
  const complete = name.trim() !== '' && value.trim() !== '';
  const add = () => {
    if (!complete) return;
    onAdd(name.trim(), value.trim());
    setName('');
    setValue('');
  };
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    add();
  };
  return (
    <span className="row">
      <TextInput
        mono
        aria-label={t`Header name`}
        placeholder={t`Name`}
        value={name}
        onValue={setName}
        onKeyDown={onKeyDown}
      />
      <TextInput
        mono
        type="password"
        autoComplete="off"
        aria-label={t`Header value`}
        placeholder={t`Value`}
        value={value}
        onValue={setValue}
        onKeyDown={onKeyDown}
      />
      <Button onClick={add} off={complete ? undefined : t`Enter name and value first.`}>
        {t`Add header`}
      </Button>
    </span>
  );
}

const TRIAL_WORDS: Record<SelfTest['steps'][number]['name'], string> = {
  sent: t`Sent`,
  arrived: t`Arrived`,
  right: t`Right secret`,
  wrong: t`Wrong secret`,
  twice: t`Repeat`,
  large: t`Large`,
};

/** Whether webhook calls can reach this computer, guarantee by guarantee. */
function Webhooks(fields: Fields) {
  const [trial, setTrial] = useState<SelfTest>();
  const { refusal, run, isBusy } = useAction();
  const test = async () => {
    const answer = await run(call('webhooks.selfTest', { profileId: fields.profile.id }));
    if (!answer.ok) return;
    setTrial(answer.data);
    const failed = answer.data.steps.filter(({ ok }) => !ok).length;
    announce(failed === 0 ? t`All webhook tests passed` : t`${counted(failed, 'webhook test')} failed`);
  };
  return (
    <Group title={t`Webhooks`} text={t`Optional. Results arrive sooner.`} refusal={refusal}>
      <DialectFields {...fields} place="webhooks" />
      <div className="row">
        <Button busy={isBusy} onClick={() => void test()}>
          {t`Test webhooks`}
        </Button>
      </div>
      {trial && (
        <ResultList>
          {trial.steps.map((step) => (
            <Result key={step.name} label={TRIAL_WORDS[step.name]} step={step} />
          ))}
        </ResultList>
      )}
    </Group>
  );
}
