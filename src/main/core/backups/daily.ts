import type { BackupSettings } from '../../../shared/contract/settings.ts';

/** When the daily backup is due, by the local clock of the machine. */

/** The last moment, now included, at which the clock on the wall showed `at` (`06:00`). */
export function lastTime(at: string, now: number): number {
  const [hours = 0, minutes = 0] = at.split(':').map(Number);
  const moment = new Date(now);
  moment.setHours(hours, minutes, 0, 0);
  if (moment.getTime() > now) moment.setDate(moment.getDate() - 1);
  return moment.getTime();
}

/** Whether none was made since its hour. A backup from the future, by a clock that was wrong, counts for nothing. */
export function isDailyDue({ daily, at }: BackupSettings, backups: readonly { at: number }[], now: number): boolean {
  const since = lastTime(at, now);
  return daily && !backups.some((backup) => backup.at >= since && backup.at <= now);
}
