import { useState } from 'react';
import type { ConnectionStep } from '../../../shared/connection.ts';
import { t } from '../../../shared/texts.ts';
import { call } from '../../client/index.ts';
import { Button, Field, TextInput, WhyOff } from '../../ui/index.ts';
import { KEY_PLACE_WORDS, STEP_WORDS } from '../../words/index.ts';
import { ConnectionSteps } from '../ConnectionSteps.tsx';
import { focusOnArrival } from '../pageFocus.ts';
import { navigate } from '../route.ts';
import { loadStudio, openSample } from '../state/studio.ts';
import { useCall } from '../state/useCall.ts';
import { Mark } from './TopBar.tsx';
import welcome from './welcome.webp';

async function enter(): Promise<void> {
  await call('settings.set', { welcomed: true });
  await loadStudio();
}

/** The sample film, playable at once: opened first, so that a failure is told where the person still is. */
function useSample() {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const open = async () => {
    setBusy(true);
    const opened = await openSample();
    if (opened.ok) {
      navigate('storyboard');
      await enter();
    } else setError(opened.error.message);
    setBusy(false);
  };
  return { busy, error, open };
}

/** One screen: what this is, start, or connect. The way in is never blocked by the form below it. */
export function FirstRun() {
  const sample = useSample();
  return (
    <main className="fr">
      <figure className="fr-pic">
        <img src={welcome} alt="" />
        <figcaption className="ov tr">{t`made by the sandbox, from a prompt and a seed`}</figcaption>
      </figure>
      <div className="fr-main">
        <div className="row">
          <span className="fr-mark">
            <Mark />
          </span>
          <b>{t`Dailies`}</b>
        </div>
        <h1>
          {t`Make tonight.`}
          <br />
          {t`Judge in the morning.`}
        </h1>
        <p className="lead">
          {t`You are in the sandbox: a whole gateway that lives on this machine. It makes real video, images and text from your prompts, without a key, without a network and without cost. Its pictures say that they are its own.`}
        </p>
        <div className="row">
          <Button variant="primary" large kbd="↵" ref={focusOnArrival} onClick={() => void enter()}>
            {t`Start in the sandbox`}
          </Button>
          <Button large busy={sample.busy} onClick={() => void sample.open()}>
            {t`Open a sample film`}
          </Button>
        </div>
        {sample.error && <p className="t2">{sample.error}</p>}
        <Connect />
      </div>
    </main>
  );
}

interface Tested {
  profileId: string;
  steps: ConnectionStep[];
}

/** Saves a profile, hands the key over and tests; only a test without a refusal makes it the active one. */
function useConnect() {
  const [baseUrl, setBaseUrl] = useState('');
  const [apiKey, setApiKey] = useState('');
  const [tested, setTested] = useState<Tested>();
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState(false);
  const test = async () => {
    setBusy(true);
    setError(undefined);
    const answer = await connect(tested?.profileId, baseUrl, apiKey);
    if (typeof answer === 'string') setError(answer);
    else setTested(answer);
    setBusy(false);
  };
  const use = async () => {
    if (!tested) return;
    await call('profiles.activate', { id: tested.profileId });
    await enter();
  };
  return { baseUrl, setBaseUrl, apiKey, setApiKey, tested, error, busy, test, use };
}

async function connect(id: string | undefined, baseUrl: string, apiKey: string): Promise<Tested | string> {
  const saved = await call('profiles.save', { ...(id ? { id } : {}), baseUrl, name: t`My gateway` });
  if (!saved.ok) return saved.error.message;
  if (apiKey !== '') {
    const stored = await call('profiles.setKey', { id: saved.data.id, apiKey });
    if (!stored.ok) return stored.error.message;
  }
  const test = await call('profiles.testConnection', { id: saved.data.id });
  return test.ok ? { profileId: saved.data.id, steps: test.data.steps } : test.error.message;
}

function Connect() {
  const form = useConnect();
  const stores = useCall('profiles.list', {});
  const missing = form.baseUrl.trim() === '' ? t`Enter the address of the service first.` : undefined;
  const failed = form.tested?.steps.find((step) => !step.ok && step.name !== 'model');
  const whyNot = !form.tested
    ? t`Test the connection first.`
    : failed && t`The test stopped at the step “${STEP_WORDS[failed.name]}”: ${failed.message}`;
  return (
    <section className="fr-form" aria-label={t`Use a real gateway`}>
      <div className="row between">
        <h2>{t`Use a real gateway`}</h2>
        <span className="t3">{t`now or any time in Settings`}</span>
      </div>
      <div className="g2">
        <Field label={t`Base URL`} error={form.error}>
          <TextInput mono value={form.baseUrl} onValue={form.setBaseUrl} placeholder={t`https://gateway.example`} />
        </Field>
        <Field label={t`API key`}>
          <TextInput
            mono
            type="password"
            autoComplete="off"
            value={form.apiKey}
            onValue={form.setApiKey}
            placeholder={t`sk-…`}
          />
        </Field>
      </div>
      {form.tested && <ConnectionSteps steps={form.tested.steps} />}
      <div className="row">
        <span className="t3 grow">
          {stores.data && t`${KEY_PLACE_WORDS[stores.data.keyStore]} It is never shown again.`}
        </span>
        <Button busy={form.busy} off={missing} onClick={() => void form.test()}>
          {form.tested ? t`Test again` : t`Test`}
        </Button>
        <Button off={whyNot} onClick={() => void form.use()}>
          {t`Use this gateway`}
        </Button>
      </div>
      {form.tested && <WhyOff>{whyNot}</WhyOff>}
    </section>
  );
}
