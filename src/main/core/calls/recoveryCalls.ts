import type { AppInfo, CallParsed, Handlers } from '../../../shared/contract/contract.ts';
import { fail, ok, type Result } from '../../../shared/contract/result.ts';
import { formatNano } from '../../../shared/money/money.ts';
import { counted, en, formatCount, inflected, t } from '../../../shared/text/texts.ts';
import { type SentSince, sentSince } from '../jobs/index.ts';
import type { Modules } from '../modules.ts';
import { databaseFile, endRecovery, isRecovering, restoreBackup } from '../store/index.ts';

/** The user's decision after damage: restore a backup, or keep the empty database. */
export const recoveryHandlers = (
  modules: Modules,
  recovery: () => AppInfo['recovery'],
): Pick<Handlers, 'store.restore' | 'store.goOnEmpty'> => ({
  'store.restore': (input) => restore(modules, recovery(), input),
  'store.goOnEmpty': () => goOnEmpty(modules),
});

/** Restores a backup and restarts on it; the answer is sent first. */
function restore(
  modules: Modules,
  recovery: AppInfo['recovery'],
  { name, loses }: CallParsed<'store.restore'>,
): Result<null> {
  const { options, ports, engine } = modules;
  const { relaunch, dataDir } = options;
  if (!relaunch) return fail('wrong_state', en`This host cannot start again by itself.`);
  if (!recovery) return isWhole;
  const backup = recovery.backups.find((one) => one.name === name);
  if (!backup) return fail('not_found', 'name: there is no such backup.');
  const since = recovery.inPlace ? backup.at : 0;
  const lost = jobsLost(modules, since);
  if (lost.underWay > 0 && !recovery.inPlace) return stillMade(lost.underWay);
  if (lost.jobs > 0 && loses === undefined) return asksFirst(lost);
  // Nothing may be sent after the count that the user confirmed.
  engine.stopSending();
  const ended = jobsLost(modules, since);
  if (ended.jobs > 0 && loses !== ended.jobs) return asksFirst(ended, SENDING_IS_OVER);
  ports.clock.after(50, () => relaunch(() => restoreOrThrow(dataDir, name, ports.clock.now())));
  return ok(null);
}

/** The sent jobs that no backup contains. A damaged database may not be able to tell; it is replaced anyway. */
function jobsLost({ store, ports }: Modules, since: number): SentSince {
  try {
    return sentSince(store.read, since);
  } catch (error) {
    ports.log.error({ error: String(error) }, 'what was sent since cannot be read');
    return { jobs: 0, underWay: 0, nano: 0, unpriced: 0 };
  }
}

const isWhole = fail(
  'wrong_state',
  en`No damage was found in the database, so nothing takes its place. Settings → Backups takes a backup back, and keeps what was paid since.`,
);

const stillMade = (count: number): Result<never> =>
  fail(
    'wrong_state',
    en`${counted(count, 'job')} that ${inflected(count, 'was', 'were')} sent since the damage ${inflected(count, 'is', 'are')} still at their gateway, and the backup does not know of ${inflected(count, 'it', 'them')}. Let ${inflected(count, 'it', 'them')} end first. Nothing was changed.`,
  );

const SENDING_IS_OVER = t`More jobs were sent meanwhile. Dailies sends nothing else until it restarts.`;

const asksFirst = ({ jobs, nano, unpriced, underWay }: SentSince, more?: string): Result<never> => {
  const priced = unpriced > 0 ? t`${formatNano(nano)} and ${formatCount(unpriced)} without a price` : formatNano(nano);
  const price = nano === 0 && unpriced > 0 ? t`no price set` : priced;
  const sentences = [
    en`The backup lacks ${counted(jobs, 'job')} sent since then: ${price}.`,
    en`Restored from it, no sum and no list has them. Their files stay on the disk, and the present database is kept beside the backup.`,
    underWay > 0 && en`${formatCount(underWay)} of them are still at the gateway, and are not fetched.`,
    more,
  ];
  return fail('conflict', sentences.filter(Boolean).join(' '), { loses: jobs });
};

function restoreOrThrow(dataDir: string, name: string, now: number): void {
  try {
    restoreBackup(dataDir, databaseFile(dataDir), name, now);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(t`The backup was not restored: ${why}. The database is unchanged, and nothing was sent.`);
  }
}

/** The user keeps the empty database: backups and clean-ups resume. */
function goOnEmpty({ store, library }: Modules): Result<null> {
  if (!isRecovering(store.read))
    return fail(
      'wrong_state',
      en`No damaged database was moved aside, so there is nothing to go on from. Nothing was changed.`,
    );
  store.transaction(endRecovery);
  void library.bin.resume();
  return ok(null);
}
