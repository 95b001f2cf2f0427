import { isPlayMoney } from '../../../shared/gateway/profile.ts';
import type { Budget } from '../../../shared/money/ledger.ts';
import { formatNano } from '../../../shared/money/money.ts';
import { t } from '../../../shared/text/texts.ts';
import { exceededSoftCaps } from '../ledger/index.ts';
import type { ReadDb } from '../store/index.ts';
import type { EngineDeps } from './deps.ts';
import type { JobRow } from './row.ts';

type Deps = Pick<EngineDeps, 'store' | 'clock' | 'emit'>;

/** Whose soft caps are watched. */
export interface SoftCapSpender {
  profileId: string;
  projectId: string | null;
  runId: string | null;
}

/** A job spends for its own project and night, under the profile that it was made for. */
export const spenderOf = (row: Pick<JobRow, 'profile_id' | 'project_id' | 'run_id'>): SoftCapSpender => ({
  profileId: row.profile_id,
  projectId: row.project_id,
  runId: row.run_id,
});

export interface SoftCapWatch {
  warn(): void;
}

/**
 * Remembers which soft caps are exceeded before jobs are written or changed, in their transaction; `warn`, called after its commit,
 * notifies the user of those exceeded since.
 */
export function watchSoftCaps(deps: Deps, db: ReadDb, { profileId, projectId, runId }: SoftCapSpender): SoftCapWatch {
  const exceeded = (read: ReadDb): Budget[] =>
    exceededSoftCaps(read, { play: isPlayMoney(profileId), projectId, runId }, deps.clock.now());
  const known = new Set(exceeded(db).map(({ scope }) => scope));
  const warn = (): void => {
    for (const { scope, softNano = 0, play } of exceeded(deps.store.read).filter(
      (budget) => !known.has(budget.scope),
    )) {
      const money = play ? ' in test money' : '';
      const text = t`More than ${formatNano(softNano)}${money} is now spent, reserved or unconfirmed for this ${scope === 'run' ? t`run` : scope}. This limit only warns: nothing is stopped.`;
      deps.emit({ type: 'notice', level: 'info', text });
    }
  };
  return { warn };
}
