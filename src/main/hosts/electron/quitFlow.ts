import type { CallInput, CallName, CallOutput } from '../../../shared/contract/contract.ts';
import { isPlayMoney } from '../../../shared/gateway/profile.ts';
import type { Job } from '../../../shared/jobs/job.ts';
import type { NightRun } from '../../../shared/jobs/night.ts';
import { formatNano, type Nano } from '../../../shared/money/money.ts';
import { counted, formatCount, listed, t } from '../../../shared/text/texts.ts';
import { hourOf } from '../../core/night/index.ts';
import type { Studio } from '../../core/studio.ts';

interface SentWork {
  jobs: number;
  /** The highest possible cost of these jobs. */
  atMostNano: Nano;
  /** How many of the jobs have no price set; the amount does not include them. */
  unpriced: number;
}

/** Work that continues while Dailies runs. */
export interface ActiveWork {
  /** Jobs that the gateway makes under an id of its own: they can be polled later. */
  atGateway: SentWork;
  /** Jobs whose result comes with the reply, such as chats and many clips: it exists nowhere else. */
  unanswered: SentWork;
  /** Jobs of the built-in sandbox, in test money. They end with Dailies. */
  sandbox: SentWork;
  downloads: number;
  /** Running exports; a closed one removes its files. */
  exports: number;
  /** Queued jobs and their reservation. */
  waiting: number;
  reservedNano: Nano;
  /** The same in test money. */
  playNano: Nano;
  night: Pick<NightRun, 'number' | 'state' | 'startsAt' | 'endsAt'> | null;
}

export interface QuitDialog {
  type: 'question';
  message: string;
  detail: string;
  buttons: string[];
  defaultId: number;
  cancelId: number;
  noLink: true;
}

/** The buttons of {@link quitQuestion}, in order. */
export const QUIT_ANSWERS = ['go on', 'quit', 'stay'] as const;

export const hasActiveWork = (work: ActiveWork): boolean =>
  runningJobs(work) + work.exports + work.waiting > 0 || work.night !== null;

const runningJobs = ({ atGateway, unanswered, sandbox, downloads }: ActiveWork): number =>
  atGateway.jobs + unanswered.jobs + sandbox.jobs + downloads;

/** The question before quitting: what would stop, and the consequences (look "Quit with work running"). */
export function quitQuestion(work: ActiveWork): QuitDialog {
  const { atGateway, unanswered, sandbox, downloads, exports, waiting, night } = work;
  const fetched = t`${counted(downloads, 'download')} will resume.`;
  const broken = t`${counted(exports, 'export')} will stop. Half-written files are removed.`;
  return {
    type: 'question',
    message: t`Quit with ${whatStops(work)}?`,
    detail: [
      ...(atGateway.jobs > 0 ? [gatewayLine(atGateway)] : []),
      ...(unanswered.jobs > 0 ? [unansweredLine(unanswered)] : []),
      ...(sandbox.jobs > 0 ? [sandboxLine(sandbox)] : []),
      ...(downloads > 0 ? [fetched] : []),
      ...(exports > 0 ? [broken] : []),
      ...(waiting > 0 ? [waitingLine(work)] : []),
      ...(night ? [nightLine(night)] : []),
    ].join('\n'),
    buttons: [t`Close window, keep running`, t`Quit`, t`Stay`],
    defaultId: 0,
    cancelId: 2,
    noLink: true,
  };
}

const gatewayLine = (sent: SentWork): string =>
  t`${counted(sent.jobs, 'job')} at the gateway, ${mostWords(sent)}. Dailies fetches the results at its next start.`;

const unansweredLine = (sent: SentWork): string =>
  t`${counted(sent.jobs, 'job')} without an answer, ${mostWords(sent)}. Without one within seconds, results may be lost and still be billed.`;

const sandboxLine = (sent: SentWork): string =>
  t`${counted(sent.jobs, 'job')} in the sandbox, ${playWords(sent)}. The sandbox stops with Dailies.`;

const playWords = (sent: SentWork): string =>
  sent.atMostNano > 0 ? t`${mostWords(sent)} of test money` : mostWords(sent);

/** Nothing is reserved for jobs with no price set. */
function waitingLine({ waiting, reservedNano, playNano }: ActiveWork): string {
  const reserved = [
    ...(reservedNano > 0 ? [formatNano(reservedNano)] : []),
    ...(playNano > 0 ? [t`${formatNano(playNano)} of test money`] : []),
  ];
  const line = t`${counted(waiting, 'job')} waiting. Nothing is sent.`;
  return reserved.length === 0 ? line : `${line} ${t`Reserved: ${listed(reserved)}`}`;
}

function mostWords({ atMostNano, unpriced }: SentWork): string {
  if (unpriced > 0 && atMostNano === 0) return t`no price set`;
  return unpriced > 0
    ? t`≤ ${formatNano(atMostNano)} and ${formatCount(unpriced)} without a price`
    : `≤ ${formatNano(atMostNano)}`;
}

function whatStops(work: ActiveWork): string {
  const { exports, waiting, night } = work;
  const running = runningJobs(work);
  if (running > 0 && exports > 0) return t`${counted(running, 'job')} and ${counted(exports, 'export')} running`;
  if (running > 0) return t`${counted(running, 'job')} running`;
  if (exports > 0) return t`${counted(exports, 'export')} running`;
  if (waiting > 0) return t`${counted(waiting, 'job')} waiting`;
  return night?.state === 'open'
    ? t`overnight run ${night.number} running`
    : t`overnight run ${night?.number} scheduled`;
}

const nightLine = ({ number, state, startsAt, endsAt }: NonNullable<ActiveWork['night']>): string =>
  state === 'open'
    ? t`Overnight run ${number} sends until ${hourOf(endsAt)}, only while Dailies runs.`
    : t`Overnight run ${number} starts at ${hourOf(startsAt)}, only if Dailies runs.`;

/** "3 running, 1 export running, 5 waiting", for the tray; "nothing runs" if idle. */
export function summaryOf(work: ActiveWork): string {
  const { exports, waiting, night } = work;
  const running = runningJobs(work);
  const parts = [
    ...(running > 0 ? [t`${running} running`] : []),
    ...(exports > 0 ? [t`${counted(exports, 'export')} running`] : []),
    ...(waiting > 0 ? [t`${waiting} waiting`] : []),
    ...(night
      ? [
          night.state === 'open'
            ? t`overnight run ${night.number} running`
            : t`overnight run ${night.number} starts at ${hourOf(night.startsAt)}`,
        ]
      : []),
  ];
  return parts.join(', ') || t`No jobs running`;
}

/** Reasons for waiting that resolve without the user; a queued job has none. */
const RESOLVES_ITSELF: ReadonlySet<Job['reason']> = new Set([undefined, 'rate', 'offline', 'window', 'budget']);
/** The newest exports are checked for running ones: none still runs after so many later ones. */
const NEWEST_EXPORTS = 100;
/** The most pages of 500 jobs that are read to count waiting jobs. */
const MAX_PAGES = 40;

/** Reads the active work from the studio; null if it does not answer. */
export async function readActiveWork(studio: Studio): Promise<ActiveWork | null> {
  const [queue, status] = [await ask(studio, 'queue.status'), await ask(studio, 'night.get')];
  if (!queue || !status) return null;
  const [underWay, inLine] = [
    await jobsIn(studio, ['sending', 'running', 'fetching']),
    await jobsIn(studio, ['queued', 'blocked']),
  ];
  const newest = (await ask(studio, 'exports.list', { limit: NEWEST_EXPORTS }))?.exports ?? [];
  const leftOver = new Set(status.leftOver);
  const isNamed = ({ state, remoteId }: Job) => state === 'running' && remoteId !== undefined;
  const downloads = underWay.filter(({ state }) => state === 'fetching').length;
  const sent = Object.groupBy(
    underWay.filter(({ state }) => state !== 'fetching'),
    (job) => (isPlay(job) ? 'sandbox' : isNamed(job) ? 'atGateway' : 'unanswered'),
  );
  const known = queue.paused ? [] : inLine.filter(({ id }) => !leftOver.has(id));
  const ready = known.filter(({ reason }) => RESOLVES_ITSELF.has(reason));
  // A job that depends on another continues only if another one does.
  const waiting =
    ready.length + underWay.length === 0
      ? []
      : known.filter(({ reason }) => RESOLVES_ITSELF.has(reason) || reason === 'dependency');
  return {
    atGateway: sentWork(sent.atGateway),
    unanswered: sentWork(sent.unanswered),
    sandbox: sentWork(sent.sandbox),
    downloads,
    exports: newest.filter(({ state }) => state === 'running').length,
    waiting: waiting.length,
    reservedNano: reservedOf(waiting.filter((job) => !isPlay(job))),
    playNano: reservedOf(waiting.filter(isPlay)),
    night: status.current,
  };
}

const isPlay = ({ profileId }: Job): boolean => isPlayMoney(profileId);

const sentWork = (jobs: Job[] = []): SentWork => ({
  jobs: jobs.length,
  atMostNano: reservedOf(jobs),
  unpriced: jobs.filter(({ money }) => money.unpriced).length,
});

const reservedOf = (jobs: Job[]): Nano => jobs.reduce((total, { money }) => total + money.reservedNano, 0);

async function jobsIn(studio: Studio, states: Job['state'][]): Promise<Job[]> {
  const jobs: Job[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
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

export interface QuitFlowDeps {
  /** Null while the studio is not open yet. */
  readActiveWork(): Promise<ActiveWork | null>;
  /** Returns the index of the chosen button. */
  ask(question: QuitDialog): Promise<number>;
  closeWindow(): void;
  /** The window is closed and the work continues: tells the user how to get back to it. */
  continueInBackground(work: ActiveWork): void;
  /** Shuts down in order. */
  quit(): void;
  /** True on macOS, where a program without windows is normal. */
  staysWithoutWindow: boolean;
}

/** Decides about active work when the user closes the window or quits. One question at a time: further requests share its answer. */
export class QuitFlow {
  private readonly parts: QuitFlowDeps;
  private deciding: Promise<void> | undefined;

  constructor(parts: QuitFlowDeps) {
    this.parts = parts;
  }

  /** Active work, or a scheduled run, continues without the window; otherwise the program ends. */
  windowClosed(): Promise<void> {
    return this.decide((work) => {
      if (!work && !this.parts.staysWithoutWindow) return this.parts.quit();
      this.parts.closeWindow();
      if (work) this.parts.continueInBackground(work);
    });
  }

  /** Quit was chosen in the menu or the tray, or requested from outside. Resolves once it is decided. */
  quitRequested(): Promise<void> {
    return this.decide(async (work) => {
      if (!work) return this.parts.quit();
      const answer = QUIT_ANSWERS[await this.parts.ask(quitQuestion(work))];
      if (answer === 'quit') this.parts.quit();
      if (answer !== 'go on') return;
      this.parts.closeWindow();
      this.parts.continueInBackground(work);
    });
  }

  private decide(act: (work: ActiveWork | undefined) => void | Promise<void>): Promise<void> {
    this.deciding ??= this.decideOnce(act).finally(() => {
      this.deciding = undefined;
    });
    return this.deciding;
  }

  private async decideOnce(act: (work: ActiveWork | undefined) => void | Promise<void>): Promise<void> {
    const work = await this.parts.readActiveWork().catch(() => null);
    await act(work && hasActiveWork(work) ? work : undefined);
  }
}
