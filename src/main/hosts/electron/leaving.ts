import type { CallInput, CallName, CallOutput } from '../../../shared/contract.ts';
import type { Job } from '../../../shared/job.ts';
import { formatNano, type Nano } from '../../../shared/money.ts';
import type { NightRun } from '../../../shared/night.ts';
import { hourOf } from '../../core/night/index.ts';
import type { Studio } from '../../core/studio.ts';

/** What goes on by itself as long as Dailies runs. */
export interface Work {
  /** Sent, and being made by the service. */
  atGateway: number;
  /** The most that these cost. */
  atMostNano: Nano;
  downloads: number;
  /** What waits for its turn, and what it has set aside. */
  waiting: number;
  reservedNano: Nano;
  night: Pick<NightRun, 'number' | 'state' | 'startsAt' | 'endsAt'> | null;
}

/** For `dialog.showMessageBox`. */
export interface Question {
  type: 'question';
  message: string;
  detail: string;
  buttons: string[];
  defaultId: number;
  cancelId: number;
  noLink: true;
}

/** The buttons of {@link quitQuestion}, in their order. */
export const ANSWERS = ['go on', 'quit', 'stay'] as const;

export const goesOn = ({ atGateway, downloads, waiting, night }: Work): boolean =>
  atGateway + downloads + waiting > 0 || night !== null;

const count = (n: number, what: string): string => `${n} ${what}${n === 1 ? '' : 's'}`;

/** What would stop, each with what becomes of it (look "Quit with work running"). */
export function quitQuestion(work: Work): Question {
  const { atGateway, atMostNano, downloads, waiting, reservedNano, night } = work;
  const running = atGateway + downloads;
  const what =
    running > 0
      ? `${count(running, 'job')} running`
      : waiting > 0
        ? `${count(waiting, 'job')} waiting`
        : `Night ${night?.number} ${night?.state === 'open' ? 'open' : 'armed'}`;
  const gateway = `${atGateway} ${atGateway === 1 ? 'is' : 'are'} at the gateway, ≤ ${formatNano(atMostNano)}. ${
    atGateway === 1 ? 'It goes' : 'They go'
  } on there; Dailies fetches ${atGateway === 1 ? 'it' : 'them'} at its next start.`;
  const fetched = `${count(downloads, 'download')} ${downloads === 1 ? 'resumes where it is' : 'resume where they are'}.`;
  const waits = `${waiting} ${waiting === 1 ? 'waits' : 'wait'}, ${formatNano(reservedNano)} stays reserved, nothing is sent.`;
  return {
    type: 'question',
    message: `Quit with ${what}?`,
    detail: [
      ...(atGateway > 0 ? [gateway] : []),
      ...(downloads > 0 ? [fetched] : []),
      ...(waiting > 0 ? [waits] : []),
      ...(night ? [nightLine(night)] : []),
    ].join('\n'),
    buttons: ['Close the window, go on', 'Quit', 'Stay'],
    defaultId: 0,
    cancelId: 2,
    noLink: true,
  };
}

const nightLine = ({ number, state, startsAt, endsAt }: NonNullable<Work['night']>): string =>
  state === 'open'
    ? `Night ${number} is open until ${hourOf(endsAt)} and sends only while Dailies runs.`
    : `Night ${number} opens at ${hourOf(startsAt)} only if Dailies runs.`;

/** "3 running, 5 waiting", for the tray; "nothing runs" where that is so. */
export function inShort({ atGateway, downloads, waiting, night }: Work): string {
  const running = atGateway + downloads;
  const parts = [
    ...(running > 0 ? [`${running} running`] : []),
    ...(waiting > 0 ? [`${waiting} waiting`] : []),
    ...(night
      ? [`Night ${night.number} ${night.state === 'open' ? 'open' : `opens at ${hourOf(night.startsAt)}`}`]
      : []),
  ];
  return parts.join(', ') || 'nothing runs';
}

/** Waiting for one of these ends without the user; a job in line has none. */
const BY_ITSELF: ReadonlySet<Job['reason']> = new Set([undefined, 'rate', 'offline', 'window', 'budget']);
/** Pages of 500 jobs that are read to count what waits. */
const MOST_PAGES = 40;

/** Reads it from the studio; null where the studio does not answer. */
export async function readWork(studio: Studio): Promise<Work | null> {
  const [queue, status] = [await ask(studio, 'queue.status'), await ask(studio, 'night.get')];
  if (!queue || !status) return null;
  const [underWay, inLine] = [
    await jobsIn(studio, ['sending', 'running', 'fetching']),
    await jobsIn(studio, ['queued', 'blocked']),
  ];
  const leftOver = new Set(status.leftOver);
  const made = underWay.filter(({ state }) => state !== 'fetching');
  const known = queue.paused ? [] : inLine.filter(({ id }) => !leftOver.has(id));
  const ready = known.filter(({ reason }) => BY_ITSELF.has(reason));
  // What waits for another job goes on only where some other job does.
  const waiting =
    ready.length + underWay.length === 0
      ? []
      : known.filter(({ reason }) => BY_ITSELF.has(reason) || reason === 'dependency');
  const sum = (jobs: Job[]) => jobs.reduce((total, { money }) => total + money.reservedNano, 0);
  return {
    atGateway: made.length,
    atMostNano: sum(made),
    downloads: underWay.length - made.length,
    waiting: waiting.length,
    reservedNano: sum(waiting),
    night: status.current,
  };
}

async function jobsIn(studio: Studio, states: Job['state'][]): Promise<Job[]> {
  const jobs: Job[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const answer = await ask(studio, 'jobs.list', { states, limit: 500, ...(cursor ? { cursor } : {}) });
    jobs.push(...(answer?.jobs ?? []));
    cursor = answer?.nextCursor;
    if (cursor === undefined) break;
  }
  return jobs;
}

async function ask<Name extends CallName>(studio: Studio, name: Name, input: CallInput<Name> | object = {}) {
  const answer = await studio.call(name, input);
  return answer.ok ? (answer.data as CallOutput<Name>) : undefined;
}

export interface LeavingParts {
  /** Null while there is no studio yet. */
  readWork(): Promise<Work | null>;
  /** The number of the button. */
  ask(question: Question): Promise<number>;
  closeWindow(): void;
  /** The window is gone and the work goes on: how the user gets back to it. */
  goOn(work: Work): void;
  /** Ends in order. */
  quit(): void;
  /** On macOS a program without windows is an ordinary thing. */
  staysWithoutWindow: boolean;
}

/** What becomes of the work when the user closes the window, or quits. One question at a time: whoever asks meanwhile waits for its answer. */
export class Leaving {
  private readonly parts: LeavingParts;
  private deciding: Promise<void> | undefined;

  constructor(parts: LeavingParts) {
    this.parts = parts;
  }

  /** Work, or an armed night, goes on without the window; with nothing to do the program ends. */
  windowCloses(): Promise<void> {
    return this.decide((work) => {
      if (!work && !this.parts.staysWithoutWindow) return this.parts.quit();
      this.parts.closeWindow();
      if (work) this.parts.goOn(work);
    });
  }

  /** The menu's Quit, the tray's, or one from outside. Ends once it is decided. */
  quitAsked(): Promise<void> {
    return this.decide(async (work) => {
      if (!work) return this.parts.quit();
      const answer = ANSWERS[await this.parts.ask(quitQuestion(work))];
      if (answer === 'quit') this.parts.quit();
      if (answer !== 'go on') return;
      this.parts.closeWindow();
      this.parts.goOn(work);
    });
  }

  private decide(act: (work: Work | undefined) => void | Promise<void>): Promise<void> {
    this.deciding ??= this.decideOnce(act).finally(() => {
      this.deciding = undefined;
    });
    return this.deciding;
  }

  private async decideOnce(act: (work: Work | undefined) => void | Promise<void>): Promise<void> {
    const work = await this.parts.readWork().catch(() => null);
    await act(work && goesOn(work) ? work : undefined);
  }
}
