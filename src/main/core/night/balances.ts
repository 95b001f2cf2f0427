import type { Nano } from '../../../shared/money/money.ts';
import type { OpenedClient } from '../gateway/index.ts';
import type { Clock, Logger } from '../ports.ts';
import type { Store } from '../store/index.ts';
import { endIfBelowBalance } from './gate.ts';
import type { NightJobs } from './nightJobs.ts';
import { currentNightRun, rulesOf } from './nightRuns.ts';

/** Interval of checks while a night is planned or open: for floors that no job's end reveals, and for a clock that was set. */
export const CHECK_INTERVAL_MS = 60_000;

/** Whether a profile can send, and its name. */
export interface ProfileState {
  status: OpenedClient['status'];
  name: string;
}

interface Deps {
  store: Store;
  clock: Clock;
  log: Pick<Logger, 'error'>;
  jobTable: Pick<NightJobs, 'waitingProfilesOfNight'>;
  profiles: {
    state(id: string): Promise<ProfileState>;
    balance(id: string): Promise<Nano | undefined>;
  };
}

/** The profiles of a night's waiting jobs, and these: whether each can send, its name, and the account's balance if the service publishes it. */
export async function profilesOfNight(
  { profiles, store, jobTable }: Pick<Deps, 'profiles' | 'store' | 'jobTable'>,
  runId: string,
  others: readonly string[] = [],
): Promise<Map<string, ProfileState & { balanceNano?: Nano }>> {
  const ids = new Set([...jobTable.waitingProfilesOfNight(store.read, runId), ...others]);
  const known = [...ids].map(async (id) => {
    const [state, balanceNano] = await Promise.all([profiles.state(id), profiles.balance(id)]);
    return [id, { ...state, ...(balanceNano === undefined ? {} : { balanceNano }) }] as const;
  });
  return new Map(await Promise.all(known));
}

/** Applies the balance floor where the service publishes a balance; otherwise it stops nothing. Returns whether the night was ended. */
export async function balancePassed(deps: Deps, isClosed: () => boolean): Promise<boolean> {
  const { store, clock, log } = deps;
  const run = currentNightRun(store.read);
  const floor = run && rulesOf(run).balanceFloorNano;
  if (!run || floor === null || floor === undefined || run.starts_at - clock.now() > CHECK_INTERVAL_MS) return false;
  try {
    for (const { name, balanceNano } of (await profilesOfNight(deps, run.id)).values()) {
      if (isClosed() || balanceNano === undefined) continue;
      if (store.transaction((db) => endIfBelowBalance(db, run.id, { name, balanceNano }, clock.now()))) return true;
    }
  } catch (error) {
    log.error({ error: String(error) }, 'the balance could not be checked');
  }
  return false;
}
