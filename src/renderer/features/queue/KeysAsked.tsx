import type { Job } from '../../../shared/job.ts';
import type { ProfileView } from '../../../shared/profile.ts';
import { t } from '../../../shared/texts.ts';
import { ApiKey, navigate, useEntities, useStudio } from '../../app/index.ts';
import { Button } from '../../ui/index.ts';
import styles from './queue.module.css';
import { waitsForKey } from './waiting.ts';

/** The keys that jobs wait for, to be entered where the jobs are. */
export function KeysAsked() {
  const waiting = useEntities(profilesOf(waitsForKey)).split(' ');
  const sent = useEntities(profilesOf((job) => waitsForKey(job) && job.sentAt !== undefined)).split(' ');
  const profiles = useStudio((state) => state.profiles);
  const asked = profiles.filter(({ id }) => waiting.includes(id)).filter(lacksSecret);
  if (asked.length === 0) return null;
  return (
    <ul className={styles.keysAsked} aria-label={t`Keys that jobs wait for`}>
      {asked.map((profile) => (
        <li key={profile.id}>
          <p>
            {sent.includes(profile.id)
              ? t`Jobs wait for the API key of ${profile.name}. Links to their results end after some time.`
              : t`Jobs wait for the API key of ${profile.name}. They are sent once it is entered.`}
          </p>
          {isKeyMissing(profile) ? <ApiKey profileId={profile.id} place={null} /> : <MissingHeaders {...profile} />}
        </li>
      ))}
    </ul>
  );
}

/** The ids of the profiles of these jobs, in one text: what is the same draws nothing anew. */
const profilesOf =
  (holds: (job: Job) => boolean) =>
  ({ jobs }: { jobs: ReadonlyMap<string, Job> }): string =>
    [...new Set([...jobs.values()].filter(holds).map(({ profileId }) => profileId))].join(' ');

const isKeyMissing = ({ key }: ProfileView): boolean => key === null || key === 'unreadable';
const lacksSecret = (profile: ProfileView): boolean => isKeyMissing(profile) || profile.missingHeaders.length > 0;

const MissingHeaders = ({ id, missingHeaders }: ProfileView) => (
  <div className="row">
    <span className="grow">{t`The value of ${missingHeaders.join(', ')} is missing.`}</span>
    <Button onClick={() => navigate('settings', { profile: id })}>{t`Open Settings`}</Button>
  </div>
);
