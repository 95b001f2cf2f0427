import { Hourglass } from 'lucide-react';
import { useEffect } from 'react';
import type { ProfileView } from '../../../shared/profile.ts';
import { counted, t } from '../../../shared/texts.ts';
import { call } from '../../client/index.ts';
import { formatUtcDay, Icon, toast } from '../../ui/index.ts';
import { type Ending, endingModels } from '../endingModels.ts';
import { hashOf, navigate } from '../route.ts';
import { useActiveProfile } from '../state/studio.ts';
import { useNow } from '../state/useCall.ts';

const SAID = 'dailies.modelEnds';

/** In the status line, as long as it is so; and said once for each day that is stated. */
export function ModelEndsPart() {
  const profile = useActiveProfile();
  const now = useNow(600_000);
  const ending = endingModels(profile, now);
  const [first] = ending;
  const said = profile && first && `${profile.id} ${ending.map(({ model, endsAt }) => `${model} ${endsAt}`).join(' ')}`;
  useEffect(() => {
    if (said === undefined || !profile || !first || localStorage.getItem(SAID) === said) return;
    localStorage.setItem(SAID, said);
    void tell(profile, first, ending.length, Date.now());
  }, [said, profile, first, ending.length]);
  if (!profile || !first) return null;
  const more = ending.length > 1 ? t` and ${ending.length - 1} more` : '';
  return (
    <a href={hashOf('settings', placeOf(profile, first))}>
      <Icon of={Hourglass} />
      <span>
        <b>{first.model}</b>
        {more} {ending.length > 1 ? t`end` : t`ends`} {formatUtcDay(first.endsAt, now)}
      </span>
    </a>
  );
}

const placeOf = ({ id }: ProfileView, { model }: Ending) => ({ section: 'models', profile: id, model });

async function tell(profile: ProfileView, first: Ending, count: number, now: number): Promise<void> {
  const found = await call('models.dependents', { profileId: profile.id, model: first.model });
  const shots = found.ok ? found.data.shots.length : 0;
  const hangs = shots === 0 ? '' : t` ${counted(shots, 'shot')} can be extended until then.`;
  const others = count > 1 ? t`, and ${counted(count - 1, 'other')} soon` : '';
  toast({
    text: t`${first.model} ends on ${formatUtcDay(first.endsAt, now)}${others}.${hangs}`,
    action: { label: t`Look`, onAction: () => navigate('settings', placeOf(profile, first)) },
  });
}
