import { KeyRound } from 'lucide-react';
import { useRef, useState } from 'react';
import type { KeyPlace } from '../../../shared/profile.ts';
import { t } from '../../../shared/texts.ts';
import { announce, useAction, useCall } from '../../app/index.ts';
import { call } from '../../client/index.ts';
import { Button, Field, Icon, TextAction, TextInput, WhyOff } from '../../ui/index.ts';
import { KEY_PLACE_WORDS } from '../../words/index.ts';
import { ExtraHeaders } from './ExtraHeaders.tsx';
import type { FormPart } from './form.tsx';

const PLACES: Record<KeyPlace | 'unreadable', string> = {
  keychain: t`in the keychain`,
  memory: t`in memory, until Dailies ends`,
  environment: t`from the environment`,
  unreadable: t`the keychain is locked or does not answer`,
};

/** The key is only ever written: it goes to the key store at once, not with Save. */
export function KeyFields(part: FormPart) {
  const { draft, change, faults, profile, off, lacksSecrets } = part;
  if (off) return <p className="t2">{t`The sandbox needs no key, no network and no money.`}</p>;
  return (
    <div className="g2">
      <div className="span">
        {profile ? (
          <ApiKey profileId={profile.id} place={profile.key} />
        ) : (
          <WhyOff>{t`Save the profile first; then its key can be stored.`}</WhyOff>
        )}
      </div>
      <Field
        label={t`Bot token`}
        hint={profile?.hasBotToken ? t`stored, write to replace` : t`optional`}
        error={faults.botToken}
      >
        <TextInput
          mono
          type="password"
          autoComplete="off"
          value={draft.botToken}
          onValue={(botToken) => change({ botToken })}
          placeholder={profile?.hasBotToken ? '••••••••' : t`none`}
        />
      </Field>
      <ExtraHeaders {...part} />
      {lacksSecrets && (
        <div className="span">
          <WhyOff>{t`A bot token or the value of a header was typed here and is kept only while this form is open. Enter it again.`}</WhyOff>
        </div>
      )}
    </div>
  );
}

function ApiKey({ profileId, place }: { profileId: string; place: KeyPlace | 'unreadable' | null }) {
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
