import { KeyRound } from 'lucide-react';
import { useRef, useState } from 'react';
import type { KeyPlace } from '../../shared/profile.ts';
import { t } from '../../shared/texts.ts';
import { call } from '../client/index.ts';
import { Button, Field, Icon, TextAction, TextInput, WhyOff } from '../ui/index.ts';
import { KEY_PLACE_WORDS } from '../words/index.ts';
import { announce } from './announce.ts';
import { useCall } from './state/useCall.ts';
import { useAction } from './useAction.ts';

const PLACES: Record<KeyPlace | 'unreadable', string> = {
  keychain: t`in the keychain`,
  memory: t`in memory, until Dailies ends`,
  environment: t`from the environment`,
  unreadable: t`the keychain is locked or does not answer`,
};

/** The key is only ever written: it goes to the key store at once, not with Save. */
export function ApiKey({ profileId, place }: { profileId: string; place: KeyPlace | 'unreadable' | null }) {
  const [replacing, setReplacing] = useState(false);
  const [apiKey, setApiKey] = useState('');
  const latest = useRef(apiKey);
  latest.current = apiKey;
  const [error, setError] = useState<string>();
  const { data } = useCall('profiles.list', {});
  const { refusal, run } = useAction();
  const forget = async () => {
    const answer = await run(call('profiles.forgetKey', { id: profileId }));
    if (answer.ok) announce(t`The key is forgotten`);
  };
  const store = async () => {
    const answer = await call('profiles.setKey', { id: profileId, apiKey });
    // Another one may be typed already: it stays, to be stored in the place of this one.
    const isTyped = latest.current !== apiKey;
    if (!isTyped) setApiKey('');
    if (!answer.ok) return setError(t`API key: ${answer.error.message.replace('apiKey: ', '')}`);
    setError(undefined);
    setReplacing(isTyped);
    announce(t`The key is stored ${PLACES[answer.data.stored]}`);
  };
  if (place !== null && !replacing) {
    return (
      <Field label={t`API key`} error={refusal}>
        <span className="in">
          <Icon of={KeyRound} />
          <span className="mono grow">{place === 'unreadable' ? t`cannot be read now` : t`stored, not shown`}</span>
          <span className="t3">{PLACES[place]}</span>
          <TextAction onClick={() => setReplacing(true)}>{t`Replace`}</TextAction>
          {place !== 'environment' && <TextAction onClick={() => void forget()}>{t`Forget`}</TextAction>}
        </span>
        {place !== 'keychain' && <WhyOff>{KEY_PLACE_WORDS[place]}</WhyOff>}
      </Field>
    );
  }
  return (
    <Field label={t`API key`} hint={place === null ? t`none yet: jobs wait` : undefined} error={error}>
      <span className="row">
        <TextInput
          mono
          type="password"
          autoComplete="off"
          value={apiKey}
          onValue={setApiKey}
          placeholder={t`sk-…`}
          before={<Icon of={KeyRound} />}
          onKeyDown={(event) => event.key === 'Enter' && void store()}
        />
        <Button onClick={() => void store()} off={apiKey === '' ? t`Enter the key first.` : undefined}>
          {t`Store the key`}
        </Button>
        {replacing && (
          <Button variant="ghost" onClick={() => setReplacing(false)}>
            {t`Keep the old one`}
          </Button>
        )}
      </span>
      {data && <WhyOff>{KEY_PLACE_WORDS[data.keyStore]}</WhyOff>}
    </Field>
  );
}
