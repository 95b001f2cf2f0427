import { RefreshCw } from 'lucide-react';
import { formatNano } from '../../../shared/money.ts';
import { t } from '../../../shared/texts.ts';
import { useCall, useStudio } from '../../app/index.ts';
import { formatClock, Icon, IconButton } from '../../ui/index.ts';

/** What the service says is left; nothing where it does not say. */
export function Account({ profileId }: { profileId: string | undefined }) {
  const profile = useStudio((state) => state.profiles.find(({ id }) => id === profileId));
  const asked = profile && !profile.builtin && profile.key !== null ? { id: profile.id } : null;
  const { data, stale, reload } = useCall('profiles.balance', asked);
  // What another gateway has said is not under this one's name.
  if (!asked || !data || stale || data.balanceNano === null) return null;
  return (
    <>
      <div className="bar">
        <h2>{t`Account`}</h2>
        <span className="grow" />
        <IconButton label={t`Ask the service again`} onClick={reload}>
          <Icon of={RefreshCw} />
        </IconButton>
      </div>
      <div className="sec row between">
        <b className="nums">{t`${formatNano(data.balanceNano)} left`}</b>
        <span className="t3 cut">{t`says ${profile?.name}, ${formatClock(data.at)}`}</span>
      </div>
    </>
  );
}
