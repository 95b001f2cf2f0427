import { setTimeout as wait } from 'node:timers/promises';
import { type Sandbox, startSandbox } from '../../src/main/sandbox/index.ts';
import type { Board, Shot } from '../../src/shared/board/board.ts';
import type { Result } from '../../src/shared/contract/result.ts';
import type { Job } from '../../src/shared/jobs/job.ts';
import type { StudioRequest } from '../../src/shared/kinds/index.ts';
import { type Price, SANDBOX_IMAGE_NANO, STANDARD_VIDEO_NANO } from '../../src/shared/money/price.ts';
import { Program } from '../e2e/program.ts';
import { lastingPort } from '../helpers/lastingPort.ts';
import { MovedClock } from '../helpers/movedClock.ts';
import { removeTempDirs, tempDir } from '../helpers/testPorts.ts';
import {
  CAR_DECK,
  CAST_SHOTS,
  castOf,
  DRAFTS,
  LOST_CLIP,
  QUESTION,
  STILLS,
  type Still,
  SUBTITLES,
  WINDOW,
} from './lastFerry.ts';
import { music } from './music.ts';

/** The program after a week of work on one film, with a sandbox as gateway. */

export const at = (day: number, hour: number, minute = 0): number => new Date(2026, 10, day, hour, minute).getTime();

const PROFILE = 'northlight';
const SOURCE = 'price list of 1 November';
const PRICES: Price[] = [
  {
    kind: 'video',
    model: 'video-standard',
    readings: [{ unit: 'second', nano: STANDARD_VIDEO_NANO }],
    settledReading: 0,
    source: SOURCE,
  },
  {
    kind: 'video',
    model: 'video-pro',
    readings: [{ unit: 'second', nano: 5 * STANDARD_VIDEO_NANO }],
    settledReading: 0,
    source: SOURCE,
  },
  {
    kind: 'image',
    model: '*',
    readings: [{ unit: 'image', nano: SANDBOX_IMAGE_NANO }],
    settledReading: 0,
    source: SOURCE,
  },
  {
    kind: 'chat',
    model: '*',
    readings: [{ unit: 'token', inputNano: 270, outputNano: 1_080 }],
    settledReading: 0,
    source: SOURCE,
  },
];

/** The duration of a clip by the clock. */
const CLIP_MS = 34 * 60_000;

export class PictureStudio {
  readonly program: Program;
  readonly clock: MovedClock;
  projectId = '';
  conversationId = '';
  private gateway: Sandbox;
  private readonly gatewayState: string;
  private readonly stills = new Map<Still, string>();

  private constructor(program: Program, clock: MovedClock, gateway: Sandbox, gatewayState: string) {
    this.program = program;
    this.clock = clock;
    this.gateway = gateway;
    this.gatewayState = gatewayState;
  }

  /** On a fresh data folder; its first screen is shown. */
  static async open(): Promise<PictureStudio> {
    const clock = new MovedClock(at(17, 20, 10));
    const state = tempDir('pictures-gateway');
    const gateway = await startGateway(await lastingPort(), 'fast', state, clock);
    const program = await Program.start({ media: 'full', env: clock.env });
    await clock.showTo(program.page);
    const studio = new PictureStudio(program, clock, gateway, state);
    await studio.reload();
    return studio;
  }

  async close(): Promise<void> {
    await this.program.stop();
    await this.gateway.close();
    removeTempDirs();
  }

  get page() {
    return this.program.page;
  }

  get host() {
    return this.program.host;
  }

  stillId(still: Still): string {
    const id = this.stills.get(still);
    if (id === undefined) throw new Error(`There is no picture ${still} yet.`);
    return id;
  }

  async reload(): Promise<void> {
    await this.page.reload();
    await this.page.locator('#root > *').first().waitFor();
  }

  bill() {
    return this.gateway.bill();
  }

  /** Changes the gateway's speed. */
  async setPace(speed: number | 'fast'): Promise<void> {
    const { port } = new URL(this.gateway.baseUrl);
    await this.gateway.close();
    this.gateway = await startGateway(Number(port), speed, this.gatewayState, this.clock);
  }

  job(id: string): Promise<Job> {
    return this.host.ask('jobs.get', { id });
  }

  async board(): Promise<Board> {
    return this.host.ask('storyboard.get', { projectId: this.projectId });
  }

  async changeShots(change: (shots: Shot[]) => Shot[]): Promise<void> {
    const board = await this.board();
    await this.host.ask('storyboard.save', { ...board, shots: change(board.shots) });
  }

  async shotTitled(title: string): Promise<Shot> {
    const shot = (await this.board()).shots.find((one) => one.title === title);
    if (!shot) throw new Error(`There is no shot "${title}".`);
    return shot;
  }

  async takeOf(title: string, night = false): Promise<Job> {
    const { id: shotId } = await this.shotTitled(title);
    return (await this.host.ask('storyboard.makeTake', { projectId: this.projectId, shotId, night })).job;
  }

  async enqueue(requests: StudioRequest[], night = false): Promise<Job[]> {
    return (await this.host.ask('jobs.enqueue', { requests, projectId: this.projectId, night })).jobs;
  }

  /** Waits until these jobs have ended or are unconfirmed. */
  ended(jobs: readonly Job[]): Promise<Job[]> {
    return this.until(jobs, ({ finishedAt, state }) => finishedAt !== undefined || state === 'uncertain');
  }

  private async until(jobs: readonly Job[], isSo: (job: Job) => boolean): Promise<Job[]> {
    for (;;) {
      const now = await Promise.all(jobs.map(({ id }) => this.job(id)));
      if (now.every(isSo)) return now;
      await wait(300);
    }
  }

  /** A week of work: the film, its cast, sound, takes and chats. */
  async fill(): Promise<void> {
    await this.openFilm();
    await this.makeStills(['front', 'profile', 'coat', 'ferry', 'harbour', 'lighthouse']);
    await this.shape();
    await this.make([CAR_DECK.title]);
    await this.sleepUntil(at(20, 17, 30));
    await this.makeStills(['wake', 'storm']);
    await this.make([WINDOW.title]);
    await this.sleepUntil(at(22, 19, 20));
    await this.make(['She watches the lights', 'Harbour at night']);
    await this.makeStills(['dawn', 'fjord']);
    await this.sleepUntil(at(24, 21, 10));
    await this.chat();
    await this.rate();
    await this.castShots();
    await this.measured();
    await this.sleepUntil(at(24, 21, 40));
    await this.reload();
  }

  async sleepUntil(time: number): Promise<void> {
    await this.clock.sleepUntil(time, this.page);
    // Pages loaded from now on begin at this time.
    const ahead = this.clock.now() - Date.now();
    await this.page.addInitScript((ms) => {
      (globalThis as typeof globalThis & { aheadMs: number }).aheadMs = ms;
    }, ahead);
  }

  /** Makes a take of each of these shots. By the clock a clip takes its time, as at a real gateway. */
  private async make(titles: string[]): Promise<void> {
    const jobs = await Promise.all(titles.map((title) => this.takeOf(title)));
    await this.until(jobs, ({ remoteId }) => remoteId !== undefined);
    await this.sleepUntil(this.clock.now() + CLIP_MS);
    await this.ended(jobs);
  }

  private async openFilm(): Promise<void> {
    const { host } = this;
    const { baseUrl, imagePrefix, vendor, imageAuthHeaders } = this.gateway;
    const service = { baseUrl, imagePrefix, vendor, imageAuthHeaders, prices: PRICES, limits: { videosAtOnce: 2 } };
    await host.ask('profiles.save', { id: PROFILE, name: 'Northlight', ...service });
    await host.ask('profiles.setKey', { id: PROFILE, apiKey: this.gateway.apiKey });
    await host.ask('profiles.activate', { id: PROFILE });
    await host.ask('settings.set', { realMoney: { [PROFILE]: new URL(service.baseUrl).origin } });
    await host.ask('budgets.set', { scope: 'day', hardNano: 25_000_000_000 });
    await host.ask('budgets.set', { scope: 'month', softNano: 60_000_000_000, hardNano: 80_000_000_000 });
    ({ id: this.projectId } = await host.ask('projects.openSample'));
    await host.ask('projects.rename', { id: this.projectId, name: 'The last ferry' });
    const guide = { projectId: this.projectId, isOpen: false, seen: [], startedAt: this.clock.now() };
    await host.ask('settings.set', { welcomed: true, projectId: this.projectId, guide });
  }

  private async makeStills(stills: Still[]): Promise<void> {
    const jobs = await this.ended(
      await this.enqueue(stills.map((still) => ({ kind: 'imagine', prompt: STILLS[still] }))),
    );
    for (const [index, still] of stills.entries()) this.stills.set(still, jobs[index]?.outputs[0]?.id ?? '');
  }

  /** The sample film with two shots more, a cast, music and subtitles. */
  private async shape(): Promise<void> {
    const board = await this.board();
    const [, like] = board.shots;
    if (!like) throw new Error('The sample film has no second shot.');
    const own = withoutTakes(like);
    const shots = [...board.shots];
    shots.splice(1, 0, { ...own, ...CAR_DECK });
    shots.splice(5, 0, { ...own, ...WINDOW });
    const subtitled = shots.map((shot) => {
      const subtitles = SUBTITLES.filter(([title]) => title === shot.title).map(([, startMs, endMs, text]) => ({
        ...{ id: `${shot.id}-words`, startMs, endMs, text },
      }));
      return subtitles.length > 0 ? { ...shot, subtitles } : shot;
    });
    const answer = await this.host.request('/media?name=crossing.wav&role=source', {
      method: 'PUT',
      headers: { 'content-type': 'audio/wav' },
      body: new Uint8Array(music(34)),
    });
    const stored = (await answer.json()) as Result<{ id: string }>;
    if (!stored.ok) throw new Error(stored.error.message);
    const track = { assetId: stored.data.id, in: 0, fadeIn: 1.5, fadeOut: 3, level: -9 };
    await this.host.ask('storyboard.save', {
      ...board,
      shots: subtitled,
      cast: castOf((still) => this.stillId(still)),
      sound: { track: { ...track, duck: { under: 'words', by: 9, before: 0.3, after: 0.6 } } },
    });
  }

  private castShots(): Promise<void> {
    return this.changeShots((shots) => shots.map((shot) => ({ ...shot, ...CAST_SHOTS[shot.title] })));
  }

  /** The levels and frames of every take are known. */
  private async measured(): Promise<void> {
    const jobs = await Promise.all((await this.board()).shots.flatMap(({ takes }) => takes).map((id) => this.job(id)));
    for (const { outputs } of jobs)
      for (const { sha256 } of outputs)
        while ((await this.host.ask('media.measures', { sha256s: [sha256] })).files[sha256]?.state === 'waiting')
          await wait(300);
  }

  private async chat(): Promise<void> {
    const { host } = this;
    ({ conversationId: this.conversationId } = await host.ask('chat.create', { projectId: this.projectId }));
    for (const text of [QUESTION, DRAFTS]) {
      const { jobId } = await host.ask('chat.send', { conversationId: this.conversationId, text });
      await this.ended([await this.job(jobId)]);
    }
  }

  private async rate(): Promise<void> {
    const { shots } = await this.board();
    // Uses the best take of this shot, so that the shot that continues from another is outdated.
    const best = ({ title, takes }: Shot) => (title === 'She watches the lights' ? { activeTake: takes.at(-1) } : {});
    await this.changeShots((all) => all.map((shot) => ({ ...shot, ...best(shot) }) as Shot));
    const verdicts = new Map([
      ['Harbour at night', ['keep', 'maybe']],
      ['Car deck', ['keep']],
      ['She watches the lights', ['no', 'maybe', 'keep']],
      ['Rain on the window', ['maybe']],
    ] as const);
    for (const { title, takes } of shots)
      for (const [index, verdict] of (verdicts.get(title as 'Car deck') ?? []).entries())
        await this.host.ask('jobs.judge', { id: takes[index] ?? '', verdict });
    await this.host.ask('library.star', { ids: [this.stillId('harbour'), this.stillId('profile')], starred: true });
  }
}

export function withoutTakes({ activeTake: _, ...shot }: Shot): Shot {
  return { ...shot, takes: [] };
}

/** It loses its reply to one clip, which it makes and bills. */
const startGateway = (port: number, speed: number | 'fast', stateDir: string, clock: MovedClock): Promise<Sandbox> =>
  startSandbox({
    port,
    speed,
    stateDir,
    imageNano: SANDBOX_IMAGE_NANO,
    now: () => clock.now(),
    faults: [{ match: { endpoint: 'video', promptIncludes: LOST_CLIP }, action: { kind: 'drop', when: 'after' } }],
  });
