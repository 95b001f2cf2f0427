import { capOfRun, setBudget } from '../ledger/index.ts';
import type { Clock, Ids } from '../ports.ts';
import type { WriteDb } from '../store/index.ts';
import { currentNightRun, insertNightRun, type NightRunRow, rulesOf, saveNotOpened, settingsOf } from './nightRuns.ts';
import { windowOf } from './window.ts';

interface Deps {
  clock: Clock;
  ids: Pick<Ids, 'id'>;
  profiles: { isPlay(): boolean };
}

/**
 * Plans the next of a night's days, with its cap, rules and settings and without jobs: what the ended night left is in it only if the user
 * puts it there. A night that the user called off before it began does not open again, nor does one whose cap is of the other side: play
 * money that was allowed is no real money. Why that one did not is kept with it, and returned.
 */
export function openAgain({ clock, ids, profiles }: Deps, db: WriteDb, run: NightRunRow): string | undefined {
  const settings = settingsOf(run);
  const isCalledOff = run.ended_by === 'user' && (run.ended_at ?? 0) < run.starts_at;
  if (settings.days.length === 0 || isCalledOff || currentNightRun(db)) return undefined;
  const play = profiles.isPlay();
  if (play !== (run.play === 1)) {
    const text = `Overnight run ${run.number} did not start again: ${play ? OF_REAL_MONEY : OF_PLAY_MONEY}`;
    saveNotOpened(db, run.id, text);
    return text;
  }
  const now = clock.now();
  const hours = { start: run.start_hour, end: run.end_hour, days: settings.days };
  // The hours of the night that has ended are not opened a second time.
  const window = windowOf(hours, Math.max(now, run.ends_at));
  const cap = capOfRun(db, play, run.id);
  if (!window.ok || !cap) return undefined;
  const id = ids.id('night');
  const { start, end } = hours;
  insertNightRun(db, { id, start, end, ...window.data, rules: rulesOf(run), settings, play }, now);
  setBudget(db, { scope: 'run', runId: id, hardNano: cap.hardNano, reading: cap.reading, play });
  return undefined;
}

const OF_PLAY_MONEY = 'its budget is test money, and the gateway that is active now takes real money.';
const OF_REAL_MONEY = 'its budget is real money, and the gateway that is active now takes test money.';
