import { type FormEvent, useState } from 'react';
import type { QueueStatus } from '../../../shared/contract/events.ts';
import type { AtGateway, ProfileView } from '../../../shared/gateway/profile.ts';
import { counted, t } from '../../../shared/text/texts.ts';
import { call } from '../../client/index.ts';
import { Button, formatSpan, Refusal, TextInput } from '../../ui/index.ts';
import { KEY_PLACE_WORDS } from '../../words/index.ts';
import { announce } from '../announce.ts';
import styles from '../app.module.css';
import { hashOf } from '../route.ts';
import { lacksKey, useStudio } from '../state/studio.ts';
import { useCall, useNow } from '../state/useCall.ts';
import { useAction } from '../useAction.ts';

/** The numbers of a gateway's jobs that are at the gateway and that wait here. */
export function jobsAt(queue: QueueStatus | undefined, profileId: string): { running: number; waiting: number } {
  const lanes = (queue?.lanes ?? []).filter((lane) => lane.profileId === profileId);
  const sum = (what: 'running' | 'waiting') => lanes.reduce((total, lane) => total + lane[what], 0);
  return { running: sum('running'), waiting: sum('waiting') };
}

/** The gateways that need a key: the active one, and those whose jobs wait for it. */
export function KeyBanners() {
  const profiles = useStudio((state) => state.profiles);
  const activeId = useStudio((state) => state.activeProfileId);
  const queue = useStudio((state) => state.queue);
  const isNeeded = (profile: ProfileView): boolean => {
    const { running, waiting } = jobsAt(queue, profile.id);
    return (
      (lacksKey(profile) || profile.missingHeaders?.length > 0) && (profile.id === activeId || running + waiting > 0)
    );
  };
  return profiles.filter(isNeeded).map((profile) => <KeyBanner key={profile.id} profile={profile} />);
}

function KeyBanner({ profile }: { profile: ProfileView }) {
  const queue = useStudio((state) => state.queue);
  const at = useStudio((state) => state.atGateway[profile.id]);
  const now = useNow(60_000);
  return (
    <section
      className={`row wrap between ${styles.banner} ${styles.keyBanner}`}
      aria-label={t`${profile.name} needs its key`}
    >
      <div>
        <b>{t`${profile.name} needs its key`}</b>
        <p className="t2">{waitsWords(jobsAt(queue, profile.id), at, now)}</p>
      </div>
      {lacksKey(profile) ? (
        <KeyField profileId={profile.id} />
      ) : (
        <a className="lnk" href={hashOf('settings', { profile: profile.id, tab: 'advanced' })}>
          {t`Enter the value of ${profile.missingHeaders.join(', ')}`}
        </a>
      )}
    </section>
  );
}

/** What waits for the key, and until when results can be downloaded. */
function waitsWords(
  { running, waiting }: { running: number; waiting: number },
  { linksEndAt }: AtGateway = {},
  now: number,
): string {
  const left = linksEndAt === undefined ? undefined : linksEndAt - now;
  const links =
    left === undefined
      ? undefined
      : left > 0
        ? t`Links to results expire in ${formatSpan(left)}.`
        : t`Links to results have expired.`;
  const parts = [
    running > 0 && t`${counted(running, 'job')} at the gateway.`,
    waiting > 0 && t`${counted(waiting, 'job')} waiting here.`,
    links,
  ];
  return parts.filter(Boolean).join(' ') || t`No job waits for this key.`;
}

/** The key goes to the key store and leaves the page. */
function KeyField({ profileId }: { profileId: string }) {
  const [apiKey, setApiKey] = useState('');
  const { data } = useCall('profiles.list', {});
  const { refusal, run, isBusy } = useAction();
  const use = async (event: FormEvent) => {
    event.preventDefault();
    if (apiKey === '') return;
    const answer = await run(call('profiles.setKey', { id: profileId, apiKey }));
    if (!answer.ok) return;
    setApiKey('');
    announce(t`The key is stored`);
  };
  return (
    <form onSubmit={use}>
      <div className="row">
        <TextInput
          aria-label={t`API key`}
          placeholder={t`API key`}
          type="password"
          autoComplete="off"
          value={apiKey}
          onValue={setApiKey}
        />
        <Button type="submit" busy={isBusy} off={apiKey === '' ? t`Enter the key first.` : undefined}>
          {t`Use key`}
        </Button>
      </div>
      <p className="t3">{data && KEY_PLACE_WORDS[data.keyStore]}</p>
      <Refusal text={refusal} />
    </form>
  );
}
