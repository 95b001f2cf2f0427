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

/** So long before a night no program is replaced that is to open it. */
const BEFORE_NIGHT_MS = 2 * 3_600_000;

/**
 * Updates wait for what runs at a service or is fetched, and for a night from shortly before it opens to its end. Not from its arming: one
 * that opens again each day is always armed.
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
