import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import type { KeyPlace } from '../../../shared/profile.ts';
import { announce, useAction, useCall } from '../../app/index.ts';
import { call } from '../../client/index.ts';
import { Button, Field, Icon, TextAction, TextInput, WhyOff } from '../../ui/index.ts';
import { KEY_PLACE_WORDS } from '../../words/index.ts';
import { ExtraHeaders } from './ExtraHeaders.tsx';
import type { FormPart } from './form.tsx';

const PLACES: Record<KeyPlace, string> = {
  keychain: 'in the keychain',
  memory: 'in memory, until Dailies ends',
  environment: 'from the environment',
};

/** The key is only ever written: it goes to the key store at once, not with Save. */
export function KeyFields(part: FormPart) {
  const { draft, change, faults, profile, off } = part;
  if (off) return <p className="t2">The sandbox needs no key, no network and no money.</p>;
  return (
    <div className="g2">
      <div className="span">
        {profile ? (
          <ApiKey profileId={profile.id} place={profile.key} />
        ) : (
          <WhyOff>Save the profile first; then its key can be stored.</WhyOff>
        )}
      </div>
      <Field
        label="Bot token"
        hint={profile?.hasBotToken ? 'stored, write to replace' : 'optional'}
        error={faults.botToken}
      >
        <TextInput
          mono
          type="password"
          autoComplete="off"
          value={draft.botToken}
          onValue={(botToken) => change({ botToken })}
          placeholder={profile?.hasBotToken ? '••••••••' : 'none'}
        />
      </Field>
      <ExtraHeaders {...part} />
    </div>
  );
}

function ApiKey({ profileId, place }: { profileId: string; place: KeyPlace | null }) {
  const [replacing, setReplacing] = useState(false);
  const [apiKey, setApiKey] = useState('');
  const [error, setError] = useState<string>();
  const { data } = useCall('profiles.list', {});
  const { refusal, run } = useAction();
  const forget = async () => {
    const answer = await run(call('profiles.forgetKey', { id: profileId }));
    if (answer.ok) announce('The key is forgotten');
  };
  const store = async () => {
    const answer = await call('profiles.setKey', { id: profileId, apiKey });
    setApiKey('');
    if (!answer.ok) return setError(`API key: ${answer.error.message.replace('apiKey: ', '')}`);
    setError(undefined);
    setReplacing(false);
    announce(`The key is stored ${PLACES[answer.data.stored]}`);
  };
  if (place !== null && !replacing) {
    return (
      <Field label="API key" error={refusal}>
        <span className="in">
          <Icon of={KeyRound} />
          <span className="mono grow">stored, not shown</span>
          <span className="t3">{PLACES[place]}</span>
          <TextAction onClick={() => setReplacing(true)}>Replace</TextAction>
          {place !== 'environment' && <TextAction onClick={() => void forget()}>Forget</TextAction>}
        </span>
        {place !== 'keychain' && <WhyOff>{KEY_PLACE_WORDS[place]}</WhyOff>}
      </Field>
    );
  }
  return (
    <Field label="API key" hint={place === null ? 'none yet: jobs wait' : undefined} error={error}>
      <span className="row">
        <TextInput
          mono
          type="password"
          autoComplete="off"
          value={apiKey}
          onValue={setApiKey}
          placeholder="sk-…"
          before={<Icon of={KeyRound} />}
          onKeyDown={(event) => event.key === 'Enter' && void store()}
        />
        <Button onClick={() => void store()} off={apiKey === '' ? 'Enter the key first.' : undefined}>
          Store the key
        </Button>
        {replacing && (
          <Button variant="ghost" onClick={() => setReplacing(false)}>
            Keep the old one
          </Button>
        )}
      </span>
      {data && <WhyOff>{KEY_PLACE_WORDS[data.keyStore]}</WhyOff>}
    </Field>
  );
}
