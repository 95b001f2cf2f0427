import type { ProfileView } from '../../../shared/profile.ts';
import { t } from '../../../shared/texts.ts';
import { ApiKey, navigate, useEntities, useStudio } from '../../app/index.ts';
import { Button } from '../../ui/index.ts';
import { waitsForKey } from './waiting.ts';

/** The keys that jobs wait for, to be entered where the jobs are. */
export function KeysAsked() {
  const waiting = useEntities(({ jobs }) =>
    [...new Set([...jobs.values()].filter(waitsForKey).map(({ profileId }) => profileId))].join(' '),
  );
  const profiles = useStudio((state) => state.profiles);
  const asked = profiles.filter(({ id }) => waiting.split(' ').includes(id)).filter(lacksSecret);
  if (asked.length === 0) return null;
  return (
    <ul className="keys-asked" aria-label={t`Keys that jobs wait for`}>
      {asked.map((profile) => (
        <li key={profile.id}>
          <p>{t`Jobs wait for the API key of ${profile.name}. Their links at the gateway end after some time.`}</p>
          {isKeyMissing(profile) ? <ApiKey profileId={profile.id} place={null} /> : <MissingHeaders {...profile} />}
        </li>
      ))}
    </ul>
  );
}

const isKeyMissing = ({ key }: ProfileView): boolean => key === null || key === 'unreadable';
const lacksSecret = (profile: ProfileView): boolean => isKeyMissing(profile) || profile.missingHeaders.length > 0;

function MissingHeaders({ id, missingHeaders }: ProfileView) {
  return (
    <div className="row">
      <span className="grow">{t`The value of ${missingHeaders.join(', ')} is missing.`}</span>
      <Button onClick={() => navigate('settings', { profile: id })}>{t`Open Settings`}</Button>
    </div>
  );
}
