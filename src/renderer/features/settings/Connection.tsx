import { useState } from 'react';
import type { ConnectionStep } from '../../../shared/connection.ts';
import type { ProfileView } from '../../../shared/profile.ts';
import { t } from '../../../shared/texts.ts';
import { WIRE_EXAMPLES, type WireExampleName } from '../../../shared/wire/examples.ts';
import { ConnectionSteps, navigate, useAction } from '../../app/index.ts';
import { call } from '../../client/index.ts';
import { Button, EmptyState, Panel, Refusal, Segmented, WhyOff } from '../../ui/index.ts';
import type { ProfileDraft } from './draft.ts';
import styles from './settings.module.css';
import { markedPieces, wirePreview } from './wirePreview.ts';

/** The proof beside the form: the test's steps, and the very bytes that would be sent. */
export function Connection(props: { draft: ProfileDraft; profile: ProfileView | undefined; changed: boolean }) {
  return (
    <Panel label={t`Connection`}>
      <div className="scroll">
        <Test {...props} />
        <WouldBeSent {...props} />
      </div>
    </Panel>
  );
}

function Test({ profile, changed }: { profile: ProfileView | undefined; changed: boolean }) {
  const [steps, setSteps] = useState<ConnectionStep[]>();
  const { refusal, run, isBusy } = useAction();
  const off = !profile ? t`Save the profile first.` : undefined;
  const test = async () => {
    if (!profile) return;
    const answer = await run(call('profiles.testConnection', { id: profile.id }), t`Nothing billable was sent.`);
    if (answer.ok) setSteps(answer.data.steps);
  };
  return (
    <>
      <div className="bar">
        <h2>{t`Connection`}</h2>
        <span className="grow" />
        <Button
          variant="ghost"
          off={off}
          onClick={() => profile && navigate('settings', { section: 'doctor', profile: profile.id })}
        >
          {t`Doctor`}
        </Button>
        <Button off={off} busy={isBusy} onClick={() => void test()}>
          {isBusy ? t`Testing` : steps ? t`Test again` : t`Test`}
        </Button>
      </div>
      <Refusal text={refusal} />
      {steps && <ConnectionSteps steps={steps} />}
      {!steps && !refusal && (
        <div className={styles.untested}>
          <EmptyState title={t`Not tested yet`}>
            {t`Name, connection, key, protocol and models are checked one after the other. Nothing that is billed is sent.`}
          </EmptyState>
        </div>
      )}
      {changed && profile && (
        <div className="pad">
          <WhyOff>{t`The test uses what is saved; your changes are not saved yet.`}</WhyOff>
        </div>
      )}
    </>
  );
}

const EXAMPLES = (Object.keys(WIRE_EXAMPLES) as WireExampleName[]).map((value) => ({
  value,
  label: WIRE_EXAMPLES[value].label,
}));

function WouldBeSent({ draft, profile }: { draft: ProfileDraft; profile: ProfileView | undefined }) {
  const [example, setExample] = useState<WireExampleName>('video');
  const hasBotToken = (profile?.hasBotToken ?? false) || draft.botToken !== '';
  const preview = wirePreview({ ...draft, webhookBase: draft.webhookBase || undefined, hasBotToken }, example);
  const head = `${preview.path}\n`;
  return (
    <>
      <div className="bar top-line">
        <h2>{t`What would be sent`}</h2>
        <span className="grow" />
        <Segmented small aria-label={t`Kind of request`} options={EXAMPLES} value={example} onValue={setExample} />
      </div>
      <pre className={`${styles.wire} mono`}>
        <b>{t`POST`}</b> <Marked text={head} marks={preview.marks} />
        <span className="t3">
          <Marked text={`${preview.headers.join('\n')}\n`} marks={preview.marks} />
        </span>
        <Marked text={JSON.stringify(preview.body, null, 2)} marks={preview.marks} />
      </pre>
      <p className={`t3 ${styles.wireNote}`}>{t`Marked words come from this profile's dialect.`}</p>
    </>
  );
}

function Marked({ text, marks }: { text: string; marks: readonly string[] }) {
  return markedPieces(text, marks).map((piece, index) =>
    piece.marked ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces of a fixed text have no other name.
      <mark key={index} className={styles.k}>
        {piece.text}
      </mark>
    ) : (
      piece.text
    ),
  );
}
