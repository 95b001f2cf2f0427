import type { RestoredItem } from '../../../shared/contract/backupCalls.ts';
import { fail, ok, type Result } from '../../../shared/contract/result.ts';
import { type NightPlan, type SavedNightPlan, savedNightPlanSchema } from '../../../shared/jobs/night.ts';
import { en } from '../../../shared/text/texts.ts';
import { capOfRun, setBudget } from '../ledger/index.ts';
import type { Clock, Ids } from '../ports.ts';
import { type ReadDb, type RestoreParticipant, type Store, sql, type WriteDb } from '../store/index.ts';
import {
  currentNightRun,
  insertNightRun,
  lastNightRun,
  type NightRunRow,
  rulesOf,
  saveNotOpened,
  settingsOf,
} from './nightRuns.ts';

interface Window {
  startsAt: number;
  endsAt: number;
}

interface Day {
  year: number;
  month: number;
  day: number;
}

const noHours = fail('invalid_input', 'end: must not be the start.', { field: 'end' });

/** The window that a plan gives the planned or open run, or a new one, if it is the one that was shown. */
export function windowFor(db: ReadDb, plan: NightPlan, now: number): Result<Window> {
  const [run, last] = [currentNightRun(db), lastNightRun(db)];
  // A change of the next day's run must not reopen the hours in which the user stopped the last one.
  const isNextDay = run && !plan.startsNow && plan.date === undefined && last?.ended_by === 'user';
  const window =
    run && run.starts_at <= now
      ? windowWithEnd({ startsAt: run.starts_at, endsAt: run.ends_at }, { ...plan, start: run.start_hour }, now)
      : windowOf(plan, isNextDay ? Math.max(now, last.ends_at) : now);
  return window.ok ? asShown(window.data, plan.endsAt) : window;
}

type Hours = Pick<NightPlan, 'start' | 'end'> & { days?: readonly number[] };

/** An open run has its own start, but the hour `start` still applies to its later days. */
const hasNoHoursAgain = ({ start, end, days = [] }: Hours): boolean => start === end && days.length > 0;

/** The window of a plan: from now on, on its day, or the first one that is not over. */
export function windowOf(
  plan: Pick<NightPlan, 'start' | 'end' | 'date' | 'startsNow'> & { days?: readonly number[] },
  now: number,
): Result<Window> {
  if (plan.startsNow) {
    if (hourOf(now) === plan.end || hasNoHoursAgain(plan)) return noHours;
    if (plan.date === undefined) return ok({ startsAt: now, endsAt: firstAfter(now, plan.end) });
    return fail('invalid_input', 'startsNow: must not be true with a date.', { field: 'startsNow' });
  }
  if (plan.start === plan.end) return noHours;
  const day = plan.date === undefined ? undefined : dayFrom(plan.date);
  if (plan.date !== undefined && !day) return fail('invalid_input', 'date: there is no such day.', { field: 'date' });
  // Yesterday's window may still be open; one that a clock change makes empty is skipped.
  const candidates = (day ? [day] : daysFrom(now, plan.days ?? [])).map((from) => hoursOn(from, plan));
  const found = candidates.find(({ startsAt, endsAt }) => endsAt > startsAt && endsAt > now);
  if (found) return ok(found);
  const empty = candidates.some(({ startsAt, endsAt }) => endsAt <= startsAt);
  return empty
    ? fail('invalid_input', en`end: the clock is put forward over all of these hours.`, { field: 'end' })
    : fail('invalid_input', en`date: that window is already over.`, { field: 'date' });
}

/** A window that has begun keeps its start; its end may be moved, but not to before now. */
export function windowWithEnd(run: Window, plan: Hours, now: number): Result<Window> {
  if (hourOf(run.startsAt) === plan.end || hasNoHoursAgain(plan)) return noHours;
  // A run started by hand did not begin at the planned hour.
  const endsAt = firstAfter(run.startsAt, plan.end);
  if (endsAt > now) return ok({ startsAt: run.startsAt, endsAt });
  return fail('invalid_input', en`end: ${plan.end} is already over; stop the run instead.`, { field: 'end' });
}

/** A window and its price, as shown, hold only while it ends at that time. */
function asShown(window: Window, endsAt: number | undefined): Result<Window> {
  if (endsAt === undefined || endsAt === window.endsAt) return ok(window);
  return fail('conflict', en`endsAt: its hours are others by now; read its price again.`, {
    field: 'endsAt',
  });
}

/** The first moment after `time` with this local hour. */
function firstAfter(time: number, hour: string): number {
  const sameDay = momentOf(dayAt(time, 0), hour);
  return sameDay > time ? sameDay : momentOf(dayAt(time, 1), hour);
}

function hoursOn(from: Day, plan: Pick<NightPlan, 'start' | 'end'>): Window {
  const to = plan.end <= plan.start ? { ...from, day: from.day + 1 } : from;
  return { startsAt: momentOf(from, plan.start), endsAt: momentOf(to, plan.end) };
}

/** The local days on which a window may start, from yesterday on: all, or the given weekdays (0 is Sunday). */
function daysFrom(now: number, weekdays: readonly number[]): Day[] {
  if (weekdays.length === 0) return [-1, 0, 1, 2].map((offset) => dayAt(now, offset));
  // Two weeks, since a clock change may make the first chosen day's window empty.
  const fortnight = Array.from({ length: 16 }, (_, n) => dayAt(now, n - 1));
  return fortnight.filter(({ year, month, day }) => weekdays.includes(new Date(year, month, day).getDay()));
}

const MINUTE_MS = 60_000;

/** A local time as a moment. A time skipped by a clock change is the moment of the change; of a repeated one, the first. */
function momentOf({ year, month, day }: Day, hour: string): number {
  const [hours = 0, minutes = 0] = hour.split(':').map(Number);
  const date = new Date(year, month, day, hours, minutes);
  if (date.getHours() === hours && date.getMinutes() === minutes) return date.getTime();
  let time = date.getTime();
  const offset = date.getTimezoneOffset();
  while (new Date(time - MINUTE_MS).getTimezoneOffset() === offset) time -= MINUTE_MS;
  return time;
}

function dayAt(time: number, offset: number): Day {
  const date = new Date(time);
  return { year: date.getFullYear(), month: date.getMonth(), day: date.getDate() + offset };
}

function dayFrom(text: string): Day | undefined {
  const [year = 0, month = 0, day = 0] = text.split('-').map(Number);
  const date = new Date(year, month - 1, day);
  const exists = date.getFullYear() === year && date.getMonth() === month - 1 && date.getDate() === day;
  return exists ? { year, month: month - 1, day } : undefined;
}

/** `07:00`, local. */
export function hourOf(time: number): string {
  const date = new Date(time);
  return `${String(date.getHours()).padStart(2, '0')}:${String(date.getMinutes()).padStart(2, '0')}`;
}

interface Deps {
  clock: Clock;
  ids: Pick<Ids, 'id'>;
  profiles: { isPlay(): boolean };
}

/**
 * Plans the run's next day with its budget, rules and settings, without jobs: jobs left by the ended run join only if the user assigns
 * them. A run canceled before its start does not open again, nor does one whose budget is of the other side: permitted test money is not
 * real money. The reason for the latter is stored and returned.
 */
export function planNextDay({ clock, ids, profiles }: Deps, db: WriteDb, run: NightRunRow): string | undefined {
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
  // The window that has just ended is not opened again.
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

interface PlanRow {
  id: string;
  name: string;
  plan: string;
}

const all = sql('night.savedPlans', 'SELECT id, name, plan FROM night_plans ORDER BY name');
const byName = sql('night.savedPlan', 'SELECT id, name, plan FROM night_plans WHERE name = $name');
const change = sql('night.changePlan', 'UPDATE night_plans SET name = $name, plan = $plan WHERE id = $id');
const insert = sql(
  'night.savePlan',
  `INSERT INTO night_plans (id, name, plan, created_at) VALUES ($id, $name, $plan, $now)
   ON CONFLICT (name) DO UPDATE SET plan = $plan`,
);
const remove = sql('night.removePlan', 'DELETE FROM night_plans WHERE id = $id');

const differing = (one: 'main' | 'past', other: 'main' | 'past') =>
  sql(
    'night.plansOfBackup',
    `SELECT a.id, a.name FROM ${one}.night_plans a WHERE NOT EXISTS (SELECT 1 FROM ${other}.night_plans b
       WHERE b.id = a.id AND b.name = a.name AND b.plan = a.plan) ORDER BY a.name`,
  );
const [goneSince, backFromBackup] = [differing('main', 'past'), differing('past', 'main')];
const removeAll = sql('night.removePlans', 'DELETE FROM night_plans');
const takePast = sql('night.takePlans', 'INSERT INTO night_plans SELECT * FROM past.night_plans');

const itemOf = ({ id, name }: Pick<PlanRow, 'id' | 'name'>): RestoredItem => ({ type: 'plan', id, title: name });

const noPlan = fail('not_found', 'id: there is no such plan.', { field: 'id' });

/** Saved plans; saving plans no run. */
export class SavedPlans {
  private readonly deps: { store: Store; clock: Clock; ids: Pick<Ids, 'id'>; changed(): void };

  constructor(deps: SavedPlans['deps']) {
    this.deps = deps;
  }

  list(): SavedNightPlan[] {
    return this.deps.store.read.all<PlanRow>(all).flatMap((row) => planFrom(row) ?? []);
  }

  /** Replaces a plan of the same name, keeping its id. With an id, that plan is changed and renamed. */
  save({ id, name, plan }: Omit<SavedNightPlan, 'id'> & { id?: string | undefined }): Result<SavedNightPlan> {
    const { store, clock, ids } = this.deps;
    const saved = store.transaction((db): Result<string> => {
      const named = db.one<PlanRow>(byName, { name })?.id;
      const text = JSON.stringify(plan);
      if (id === undefined) {
        const known = named ?? ids.id('plan');
        db.run(insert, { id: known, name, plan: text, now: clock.now() });
        return ok(known);
      }
      if (named !== undefined && named !== id)
        return fail('conflict', en`name: another plan is kept as ${name}.`, { field: 'name' });
      return db.run(change, { id, name, plan: text }) === 0 ? noPlan : ok(id);
    });
    if (!saved.ok) return saved;
    this.deps.changed();
    return ok({ id: saved.data, name, plan });
  }

  /** A restore sets saved plans back; planned runs are records and stay. */
  restoreParticipant(): RestoreParticipant {
    return {
      preview: (db) => ({
        gone: db.all<PlanRow>(goneSince).map(itemOf),
        back: db.all<PlanRow>(backFromBackup).map(itemOf),
      }),
      restore: (db) => {
        db.run(removeAll);
        db.run(takePast);
        return () => this.deps.changed();
      },
    };
  }

  remove(id: string): Result<null> {
    const removed = this.deps.store.transaction((db) => db.run(remove, { id }));
    if (removed === 0) return noPlan;
    this.deps.changed();
    return ok(null);
  }
}

/** A plan of an older version gets defaults; one that cannot be parsed is left out. */
function planFrom({ id, name, plan }: PlanRow): SavedNightPlan | undefined {
  const parsed = savedNightPlanSchema.safeParse(JSON.parse(plan));
  return parsed.success ? { id, name, plan: parsed.data } : undefined;
}
