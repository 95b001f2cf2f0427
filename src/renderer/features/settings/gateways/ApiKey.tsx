import { KeyRound } from 'lucide-react';
import { useRef, useState } from 'react';
import type { KeyPlace } from '../../../../shared/gateway/profile.ts';
import { t } from '../../../../shared/text/texts.ts';
import { announce, useAction, useCall } from '../../../app/index.ts';
import { call } from '../../../client/index.ts';
import { Button, Field, Icon, TextAction, TextInput, WhyOff } from '../../../ui/index.ts';
import { KEY_PLACE_WORDS } from '../../../words/index.ts';
import styles from './gateways.module.css';

type Place = KeyPlace | 'unreadable';

interface ApiKeyProps {
  profileId: string;
  place: Place | null;
}

/** The key is write-only: it goes to the key store at once. */
export function ApiKey({ profileId, place }: ApiKeyProps) {
  const [replacing, setReplacing] = useState(false);
  return place !== null && !replacing ? (
    <StoredKey profileId={profileId} place={place} onReplace={() => setReplacing(true)} />
  ) : (
    <NewKey profileId={profileId} place={place} onLeave={setReplacing} />
  );
}

function StoredKey({ profileId, place, onReplace }: { profileId: string; place: Place; onReplace: () => void }) {
  const { refusal, run } = useAction();
  const forget = async () => {
    const answer = await run(call('profiles.forgetKey', { id: profileId }));
    if (answer.ok) announce(t`Key removed`);
  };
  return (
    <Field className={styles.line} label={t`API key`} error={refusal}>
      <span className="in">
        <Icon of={KeyRound} />
        <span className="grow">{t`Stored, not shown`}</span>
        {place !== 'environment' && <TextAction onClick={() => void forget()}>{t`Remove`}</TextAction>}
      </span>
      <Button onClick={onReplace}>{t`Replace key`}</Button>
      <WhyOff>{KEY_PLACE_WORDS[place]}</WhyOff>
    </Field>
  );
}

/** `onLeave` is told whether another key is being typed. */
function NewKey({ profileId, place, onLeave }: ApiKeyProps & { onLeave: (isTyping: boolean) => void }) {
  const [apiKey, setApiKey] = useState('');
  const latest = useRef(apiKey);
  latest.current = apiKey;
  const [error, setError] = useState<string>();
  const { data } = useCall('profiles.list', {});
  const store = async () => {
    const answer = await call('profiles.setKey', { id: profileId, apiKey });
    // Another key may have been typed meanwhile: it stays, to replace this one.
    const isTyped = latest.current !== apiKey;
    if (!isTyped) setApiKey('');
    if (!answer.ok) return setError(answer.error.message.replace('apiKey: ', ''));
    setError(undefined);
    onLeave(isTyped);
    announce(t`Key saved`);
  };
  return (
    <Field className={styles.line} label={t`API key`} error={error}>
      <TextInput
        mono
        type="password"
        autoComplete="off"
        value={apiKey}
        onValue={setApiKey}
        before={<Icon of={KeyRound} />}
        onKeyDown={(event) => event.key === 'Enter' && void store()}
      />
      <span className="row">
        <Button onClick={() => void store()} off={apiKey === '' ? t`Enter the key first.` : undefined}>
          {t`Save key`}
        </Button>
        {place !== null && (
          <Button variant="ghost" onClick={() => onLeave(false)}>
            {t`Cancel`}
          </Button>
        )}
      </span>
      {data && <WhyOff>{KEY_PLACE_WORDS[data.keyStore]}</WhyOff>}
    </Field>
  );
}
