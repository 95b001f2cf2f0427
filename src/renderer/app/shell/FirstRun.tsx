import { type RefObject, useRef, useState } from 'react';
import type { ConnectionStep } from '../../../shared/connection.ts';
import { ok } from '../../../shared/result.ts';
import { t } from '../../../shared/texts.ts';
import { call, type Result } from '../../client/index.ts';
import { Button, Field, Refusal, TextInput, WhyOff } from '../../ui/index.ts';
import { KEY_PLACE_WORDS, STEP_WORDS } from '../../words/index.ts';
import styles from '../app.module.css';
import { ConnectionSteps } from '../ConnectionSteps.tsx';
import { focusOnArrival } from '../pageFocus.ts';
import { navigate } from '../route.ts';
import { loadStudio, openSample, saveSettings } from '../state/studio.ts';
import { useCall } from '../state/useCall.ts';
import { useAction } from '../useAction.ts';
import { Mark } from './TopBar.tsx';
import welcome from './welcome.webp';

/** Leads into the studio, once it keeps that this was done. */
async function enter(): Promise<Result<unknown>> {
  const answer = await saveSettings({ welcomed: true });
  if (answer.ok) await loadStudio();
  return answer;
}

/** The sample film, playable at once: opened first, so that a failure is told where the person still is. */
async function enterSample(): Promise<Result<unknown>> {
  const opened = await openSample();
  if (!opened.ok) return opened;
  navigate('storyboard');
  return enter();
}

/** One screen: what this is, start, or connect. The way in is never blocked by the form below it. */
export function FirstRun() {
  const sample = useAction();
  const start = useAction();
  return (
    <main className={styles.fr}>
      <figure className={styles.frPic}>
        <img src={welcome} alt="" />
        <figcaption className="ov tr">{t`made by the sandbox, from a prompt and a seed`}</figcaption>
      </figure>
      <div className={styles.frMain}>
        <div className="row">
          <span className={styles.frMark}>
            <Mark />
          </span>
          <b>{t`Dailies`}</b>
        </div>
        <h1>
          {t`Make tonight.`}
          <br />
          {t`Judge in the morning.`}
        </h1>
        <p className={styles.lead}>
          {t`You are in the sandbox: a whole gateway that lives on this machine. It makes real video, images and text from your prompts, without a key, without a network and without cost. Its pictures say that they are its own.`}
        </p>
        <div className="row">
          <Button variant="primary" large kbd="↵" ref={focusOnArrival} onClick={() => void start.run(enter())}>
            {t`Start in the sandbox`}
          </Button>
          <Button large busy={sample.isBusy} onClick={() => void sample.run(enterSample())}>
            {t`Open a sample film`}
          </Button>
        </div>
        <Refusal text={start.refusal ?? sample.refusal} />
        <Connect />
      </div>
    </main>
  );
}

interface Entries {
  baseUrl: string;
  apiKey: string;
}

/** What was tested, and what came of it. */
interface Tested extends Entries {
  profileId: string;
  steps: ConnectionStep[];
}

/** Saves a profile, hands the key over and tests; only a test of what stands there, without a refusal, makes it the active one. */
function useConnect() {
  const [entries, setEntries] = useState<Entries>({ baseUrl: '', apiKey: '' });
  const [last, setLast] = useState<Tested>();
  const testing = useAction();
  const { refusal, run } = useAction();
  // Made once, also where its key is refused.
  const profileId = useRef<string>(undefined);
  const tested = last?.baseUrl === entries.baseUrl && last.apiKey === entries.apiKey ? last : undefined;
  const test = async () => {
    const answer = await testing.run(connect(profileId, entries));
    if (answer.ok) setLast(answer.data);
  };
  const use = async () => {
    if (tested && (await run(call('profiles.activate', { id: tested.profileId }))).ok) await run(enter());
  };
  const enterInto = (entry: keyof Entries) => (text: string) => setEntries((before) => ({ ...before, [entry]: text }));
  return { ...entries, enterInto, tested, testing, refusal, test, use };
}

async function connect(
  profileId: RefObject<string | undefined>,
  { baseUrl, apiKey }: Entries,
): Promise<Result<Tested>> {
  const id = profileId.current;
  const saved = await call('profiles.save', { ...(id ? { id } : {}), baseUrl, name: t`My gateway` });
  if (!saved.ok) return saved;
  profileId.current = saved.data.id;
  if (apiKey !== '') {
    const stored = await call('profiles.setKey', { id: saved.data.id, apiKey });
    if (!stored.ok) return stored;
  }
  const test = await call('profiles.testConnection', { id: saved.data.id });
  return test.ok ? ok({ baseUrl, apiKey, profileId: saved.data.id, steps: test.data.steps }) : test;
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
    <section className={styles.frForm} aria-label={t`Use a real gateway`}>
      <div className="row between">
        <h2>{t`Use a real gateway`}</h2>
        <span className="t3">{t`now or any time in Settings`}</span>
      </div>
      <div className="g2">
        <Field label={t`Base URL`} error={form.testing.refusal}>
          <TextInput
            mono
            value={form.baseUrl}
            onValue={form.enterInto('baseUrl')}
            placeholder={t`https://gateway.example`}
          />
        </Field>
        <Field label={t`API key`}>
          <TextInput
            mono
            type="password"
            autoComplete="off"
            value={form.apiKey}
            onValue={form.enterInto('apiKey')}
            placeholder={t`sk-…`}
          />
        </Field>
      </div>
      {form.tested && <ConnectionSteps steps={form.tested.steps} />}
      <div className="row">
        <span className="t3 grow">
          {stores.data && t`${KEY_PLACE_WORDS[stores.data.keyStore]} It is never shown again.`}
        </span>
        <Button busy={form.testing.isBusy} off={missing} onClick={() => void form.test()}>
          {form.tested ? t`Test again` : t`Test`}
        </Button>
        <Button off={whyNot} onClick={() => void form.use()}>
          {t`Use this gateway`}
        </Button>
      </div>
      {form.tested && <WhyOff>{whyNot}</WhyOff>}
      <Refusal text={form.refusal} />
    </section>
  );
}
