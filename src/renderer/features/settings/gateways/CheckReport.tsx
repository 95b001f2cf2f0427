import { useState } from 'react';
import type { ConnectionTest } from '../../../../shared/gateway/connection.ts';
import type { ProfileView } from '../../../../shared/gateway/profile.ts';
import { counted, t } from '../../../../shared/text/texts.ts';
import { announce } from '../../../app/index.ts';
import { call } from '../../../client/index.ts';
import { Button, TextAction } from '../../../ui/index.ts';
import { Result, Results } from '../connect/Results.tsx';
import styles from './gateways.module.css';
import { type CheckHandle, openGateway } from './tabs.ts';

const CHECK_WORDS = { images: t`Images`, clock: t`Clock` } as const;

interface ReportProps {
  profile: ProfileView;
  handle: CheckHandle;
}

/** The results of the last check, and ways to fix them. */
export function Report({ profile, handle }: ReportProps) {
  const { last } = handle;
  if (!last) return null;
  const { test } = last;
  return (
    <section className={styles.report} aria-label={t`Last check`}>
      <Results test={test} beside={{ model: <TakeOut profile={profile} test={test} handle={handle} /> }}>
        {(test.checks ?? []).map((one) => (
          <Result key={one.name} label={CHECK_WORDS[one.name]} step={one}>
            {one.name === 'images' && <OtherHeaders profile={profile} test={test} handle={handle} />}
          </Result>
        ))}
      </Results>
    </section>
  );
}

interface FixProps extends ReportProps {
  test: ConnectionTest;
}

/**
 * A gateway's list may be incomplete, so missing models stay: a first job shows whether they exist. The user can remove those that do not.
 */
function TakeOut({ profile, test: { missing = [] }, handle: { run, check } }: FixProps) {
  if (missing.length === 0 || profile.builtin) return null;
  const takeOut = async () => {
    const models = profile.models.filter(({ id }) => !missing.includes(id));
    const saved = await run(call('profiles.save', { id: profile.id, models }));
    if (saved.ok) await check();
  };
  return <TextAction onClick={() => void takeOut()}>{t`Remove ${counted(missing.length, 'model')}`}</TextAction>;
}

function OtherHeaders({ profile, test: { untriedHeaders = [] }, handle: { run, isBusy, check } }: FixProps) {
  const [said, setSaid] = useState<string>();
  const tryOthers = async () => {
    const answer = await run(call('profiles.tryImageHeaders', { id: profile.id }));
    if (!answer.ok) return;
    const { accepted, tried } = answer.data;
    const words =
      accepted === null
        ? t`${counted(tried.length, 'name')} tried, none accepted.`
        : t`${accepted} is accepted and used from now on.`;
    setSaid(words);
    announce(words);
    if (accepted !== null) await check();
  };
  return (
    <span className="row wrap">
      {said && <span className="t2">{said}</span>}
      {untriedHeaders.length > 0 && !profile.builtin && (
        <Button busy={isBusy} onClick={() => void tryOthers()}>
          {t`Try ${counted(untriedHeaders.length, 'other name')}, free`}
        </Button>
      )}
      <TextAction onClick={() => openGateway(profile.id, 'advanced')}>{t`Set the header`}</TextAction>
    </span>
  );
}
