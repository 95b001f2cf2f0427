import type { NightStatus } from '../../shared/jobs/night.ts';
import { t } from '../../shared/text/texts.ts';
import type { Backups } from './backups/index.ts';
import type { Engine } from './jobs/index.ts';
import { hourOf, type Night } from './night/index.ts';
import type { Ports } from './ports.ts';
import type { Profiles } from './profiles/index.ts';
import { Updates, type UpdatesDeps } from './updates/index.ts';

interface Parts extends Pick<UpdatesDeps, 'clock' | 'log' | 'emit'> {
  ports: Ports;
  profiles: Profiles;
  engine: Engine;
  night: Night;
  backups: Backups;
}

/** How long before an overnight run the program is no longer replaced. */
const BEFORE_NIGHT_MS = 2 * 3_600_000;

/**
 * Updates wait for jobs at gateways, for downloads, and for overnight runs from shortly before they open until their end. Not from their
 * scheduling: a daily run is always scheduled.
 */
export const createUpdates = ({ ports, profiles, engine, night, backups, ...common }: Parts): Updates =>
  new Updates({
    ...common,
    updater: ports.updater,
    isOn: () => profiles.getSettings().updates ?? true,
    waitsFor: () => (engine.status().running > 0 ? SENDING : nightInTheWay(night.get(), ports.clock.now())),
    backUp: () => backups.make('update'),
  });

const SENDING = t`The update waits until running jobs are sent.`;

function nightInTheWay({ current }: NightStatus, now: number): string | undefined {
  if (!current || now < current.startsAt - BEFORE_NIGHT_MS) return undefined;
  const { number, endsAt } = current;
  return t`Overnight run ${number}: the update waits until ${hourOf(endsAt)}.`;
}
