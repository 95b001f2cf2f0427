import { useState } from 'react';
import type { ConnectionStep, ConnectionTest } from '../../../../shared/gateway/connection.ts';
import type { ProfileView } from '../../../../shared/gateway/profile.ts';
import { counted, t } from '../../../../shared/text/texts.ts';
import { announce, copyText, StepLine, useStudio } from '../../../app/index.ts';
import { call } from '../../../client/index.ts';
import { Button, TextAction } from '../../../ui/index.ts';
import { STEP_WORDS } from '../../../words/index.ts';
import { Results } from '../connect/Results.tsx';
import styles from './gateways.module.css';
import { type CheckHandle, openGateway } from './tabs.ts';

const CHECK_WORDS = { images: t`Images`, clock: t`Clock` } as const;

interface ReportProps {
  profile: ProfileView;
  handle: CheckHandle;
}

/** What the last check said, and what can be done about it. */
export function Report({ profile, handle }: ReportProps) {
  const version = useStudio((state) => state.info?.version ?? '');
  const { last } = handle;
  if (!last) return null;
  const { test, at } = last;
  return (
    <section className={styles.report} aria-label={t`Last check`}>
      <Results test={test} beside={{ model: <TakeOut profile={profile} test={test} handle={handle} /> }} />
      <ol className="steps">
        {(test.checks ?? []).map((one) => (
          <StepLine key={one.name} label={CHECK_WORDS[one.name]} step={one}>
            {one.name === 'images' && !one.ok && <OtherHeaders profile={profile} test={test} handle={handle} />}
          </StepLine>
        ))}
      </ol>
      <div>
        <Button variant="ghost" onClick={() => void copyText(reportText(profile, test, { at, version }))}>
          {t`Copy report without secrets`}
        </Button>
      </div>
    </section>
  );
}

interface CureProps extends ReportProps {
  test: ConnectionTest;
}

/** Lists leave models out: the first job would tell. Who knows better takes them out. */
function TakeOut({ profile, test: { missing = [] }, handle: { run, check } }: CureProps) {
  if (missing.length === 0 || profile.builtin) return null;
  const takeOut = async () => {
    const models = profile.models.filter(({ id }) => !missing.includes(id));
    const saved = await run(call('profiles.save', { id: profile.id, models }));
    if (saved.ok) await check();
  };
  return (
    <>
      {' '}
      <TextAction onClick={() => void takeOut()}>{t`Remove ${counted(missing.length, 'model')}`}</TextAction>
    </>
  );
}

function OtherHeaders({ profile, test: { untriedHeaders = [] }, handle: { run, isBusy, check } }: CureProps) {
  const [said, setSaid] = useState<string>();
  const tryOthers = async () => {
    const answer = await run(call('profiles.tryImageHeaders', { id: profile.id }));
    if (!answer.ok) return;
    const { accepted, tried } = answer.data;
    const words =
      accepted === null
        ? t`None of ${counted(tried.length, 'name')} is accepted.`
        : t`${accepted} is accepted, and is tried first from now on.`;
    setSaid(words);
    announce(words);
    if (accepted !== null) await check();
  };
  return (
    <>
      {said && <span className="t2">{said}</span>}
      {untriedHeaders.length > 0 && !profile.builtin && (
        <Button
          busy={isBusy}
          title={t`Each alone, by asking for a task that does not exist. Nothing is charged.`}
          onClick={() => void tryOthers()}
        >
          {t`Try ${counted(untriedHeaders.length, 'other name')}, free`}
        </Button>
      )}
      <TextAction onClick={() => openGateway(profile.id, 'advanced')}>{t`Set the header`}</TextAction>
    </>
  );
}

/** All of it as a text without a key, a header's value or an address that opens anything: only the host is named. */
export function reportText(
  { name, baseUrl }: Pick<ProfileView, 'name' | 'baseUrl'>,
  test: ConnectionTest,
  { at, version }: { at: number; version: string },
): string {
  const line = (label: string, { ok, message, untried, ms }: Omit<ConnectionStep, 'name'>) =>
    `${ok ? 'ok  ' : 'FAIL'} ${label.padEnd(9)} ${[message, untried].filter(Boolean).join(' ')}${ms === undefined ? '' : t` (${Math.round(ms)} ms)`}`;
  return [
    t`Dailies ${version}, connection of ${name} (${new URL(baseUrl).host}), ${new Date(at).toISOString()}`,
    t`Nothing that is billed was sent. No key is in this text.`,
    '',
    ...test.steps.map((step) => line(STEP_WORDS[step.name], step)),
    ...(test.checks ?? []).map((check) => line(CHECK_WORDS[check.name], check)),
    ...((test.found ?? []).length > 0 ? ['', t`Found of the API format:`] : []),
    ...(test.found ?? []).map(({ setting, was, now, how }) => `- ${setting}: ${was} → ${now}. ${how}.`),
    '',
  ].join('\n');
}
