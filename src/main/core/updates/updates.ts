import type { UpdateState, updateCalls } from '../../../shared/contract/appCalls.ts';
import type { Handlers } from '../../../shared/contract/contract.ts';
import type { StudioEvent } from '../../../shared/contract/events.ts';
import { fail, ok, type Result } from '../../../shared/contract/result.ts';
import { en, t } from '../../../shared/text/texts.ts';
import type { Clock, Logger, Updater } from '../ports.ts';

export interface UpdatesDeps {
  /** Undefined if the host has no update server. */
  updater: Updater | undefined;
  clock: Clock;
  log: Logger;
  emit(event: StudioEvent): void;
  isOn(): boolean;
  /** The work that an update would disturb now, as a sentence: sending, downloading, or an overnight run that is open or near. */
  waitsFor(): string | undefined;
  backUp(): Promise<Result<unknown>>;
}

const DAY_MS = 24 * 3_600_000;
/** Interval of checks whether a day has passed; sends nothing. */
const LOOK_MS = 3_600_000;
const FIRST_LOOK_MS = 60_000;
const NO_SERVER = t`This copy of Dailies has no update server.`;

/**
 * Updates: the server is asked at most once a day and only while nothing is sent; a version is downloaded when the user says so, and
 * installed when the program quits, after a backup.
 */
export class Updates {
  private readonly deps: UpdatesDeps;
  private known: Pick<UpdateState, 'state' | 'version' | 'why'>;
  /** The version was found by an earlier run, so the updater must find it again before a download. */
  private isOfEarlierRun: boolean;
  private cancelLook = (): void => undefined;
  private isClosed = false;

  constructor(deps: UpdatesDeps) {
    this.deps = deps;
    const version = deps.updater?.found();
    this.known = version === undefined ? { state: 'current' } : { state: 'found', version };
    this.isOfEarlierRun = version !== undefined;
  }

  start(): void {
    if (this.deps.updater) this.cancelLook = this.deps.clock.after(FIRST_LOOK_MS, () => this.look());
  }

  handlers(): Pick<Handlers, keyof typeof updateCalls> {
    return {
      'updates.get': () => ok(this.view()),
      'updates.check': () => this.during('checking', ['current', 'found'], (updater) => this.check(updater)),
      'updates.download': () => this.during('downloading', ['found'], (updater) => this.download(updater)),
      'updates.install': () => this.during('ready', ['ready'], (updater) => this.install(updater)),
    };
  }

  close(): void {
    this.isClosed = true;
    this.cancelLook();
  }

  private view(): UpdateState {
    const { updater, isOn } = this.deps;
    if (!updater) return { state: 'none', why: NO_SERVER };
    const at = updater.checkedAt();
    const checkedAt = at === undefined ? {} : { checkedAt: at };
    const isReady = this.known.state === 'ready';
    if (isReady && updater.installsAtAnyEnd) {
      const installs = { installsAtQuit: true as const, installsAtAnyEnd: true as const };
      return { ...this.known, ...(isOn() ? {} : { state: 'off' as const }), ...checkedAt, ...installs };
    }
    const installs = isReady && this.deps.waitsFor() === undefined ? { installsAtQuit: true as const } : {};
    return isOn() ? { ...this.known, ...checkedAt, ...installs } : { state: 'off', ...checkedAt };
  }

  private look(): void {
    const { updater, clock, isOn, waitsFor } = this.deps;
    this.cancelLook = clock.after(LOOK_MS, () => this.look());
    const last = updater?.checkedAt() ?? Number.NEGATIVE_INFINITY;
    // A time in the future comes from a clock that was set back.
    const isDue = clock.now() - last >= DAY_MS || last > clock.now();
    if (!updater || !isDue || !isOn() || waitsFor() !== undefined) return;
    void this.during('checking', ['current', 'found'], (own) => this.check(own));
  }

  /** One step at a time. A failed step restores the state before it and gives the reason. */
  private async during(
    meanwhile: UpdateState['state'],
    from: readonly UpdateState['state'][],
    step: (updater: Updater) => Promise<Result<null>>,
  ): Promise<Result<UpdateState>> {
    const { updater, isOn, waitsFor, log } = this.deps;
    if (!updater) return fail('wrong_state', NO_SERVER);
    if (!isOn()) return fail('wrong_state', en`Updates are switched off. Nothing was asked for.`);
    const why = waitsFor();
    if (why !== undefined) return fail('wrong_state', why);
    const before = this.known;
    if (!from.includes(before.state)) return fail('wrong_state', en`There is nothing to do for that now.`);
    const { why: _, ...plain } = before;
    this.set({ ...plain, state: meanwhile });
    try {
      const done = await step(updater);
      if (done.ok) return ok(this.view());
      this.set({ ...before, why: done.error.message });
      return done;
    } catch (error) {
      log.warn({ error: String(error) }, 'an update did not come on');
      const why = t`The update check failed. Nothing was changed.`;
      this.set({ ...before, why });
      return fail('unreachable', why);
    }
  }

  private async check(updater: Updater): Promise<Result<null>> {
    // Before the answer: a failing server, too, is asked once a day.
    updater.noteCheck(this.deps.clock.now());
    const version = await updater.check();
    updater.noteFound(version);
    this.isOfEarlierRun = false;
    this.set(version === null ? { state: 'current' } : { state: 'found', version });
    return ok(null);
  }

  private async download(updater: Updater): Promise<Result<null>> {
    if (this.isOfEarlierRun) {
      await this.check(updater);
      if (this.known.version === undefined) return ok(null);
      this.set({ ...this.known, state: 'downloading' });
    }
    // The backup is made before a download that the system installs by itself: it may fill the disk, and cannot be taken back.
    const isFirst = updater.installsAtAnyEnd === true;
    if (!isFirst) await updater.download();
    const backup = await this.deps.backUp();
    if (!backup.ok) return backup;
    if (isFirst) await updater.download();
    this.set({ ...this.known, state: 'ready' });
    return ok(null);
  }

  private async install(updater: Updater): Promise<Result<null>> {
    const backup = await this.deps.backUp();
    if (!backup.ok) return backup;
    const why = this.deps.waitsFor();
    if (why !== undefined) return fail('wrong_state', why);
    updater.quitAndInstall();
    return ok(null);
  }

  private set(next: Pick<UpdateState, 'state' | 'version' | 'why'>): void {
    this.known = next;
    if (!this.isClosed) this.deps.emit({ type: 'updates.changed' });
  }
}
