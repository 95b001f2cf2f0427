import { crc32 } from 'node:zlib';
import { encode } from 'fast-png';
import type { CallInput, CallName, CallOutput } from '../../src/shared/contract/contract.ts';
import { isTerminal, type Job, type JobState } from '../../src/shared/jobs/job.ts';
import { promptOf, type StudioRequest } from '../../src/shared/kinds/index.ts';
import type { MediaTask } from '../../src/shared/library/asset.ts';
import type { Host } from '../helpers/host.ts';
import { testPng } from '../helpers/png.ts';
import type { ExpectedState } from './expectedState.ts';
import { randomOf } from './options.ts';

/** The sandbox's default picture has 1082 pixels a side; this is its tiny version. */
const TINY_SIDE = 135;
const MAX_OPEN_JOBS = 40;

/** Acts like users and programs, in an order that depends on the seed: every kind of request and interference. */
export class LoadGenerator {
  private random: () => number;
  private readonly expected: ExpectedState;
  private readonly seed: number;
  private marks = 0;
  private picture = '';
  private mask = '';
  private project = '';

  constructor(seed: number, expected: ExpectedState) {
    this.seed = seed;
    this.random = randomOf(seed);
    this.expected = expected;
  }

  /** Makes a round's actions depend on the seed and the round alone, however far the previous round got. */
  startRound(round: number): void {
    this.random = randomOf(this.seed * 1_000_003 + round);
  }

  /** Prepares data for later actions, at the first start only. */
  async prepare(host: Host): Promise<void> {
    const upload = async (name: string, bytes: Uint8Array, role = 'source'): Promise<string> => {
      const answer = await host.request(`/media?name=${name}&role=${role}`, {
        method: 'PUT',
        body: Buffer.from(bytes),
      });
      return ((await answer.json()) as { data: { id: string } }).data.id;
    };
    this.picture = await upload('still.png', testPng(160, 90, 3));
    this.mask = await upload('mask.png', maskPng(TINY_SIDE), 'mask');
    this.project = (await host.ask('projects.create', { name: 'Last Ferry' })).id;
  }

  /** Performs some actions in turn, until the host is gone. */
  async act(host: Host, actions: number): Promise<void> {
    try {
      const { jobs, total } = await host.ask('jobs.list', { limit: 200, states: OPEN });
      for (const job of jobs) this.seen(job);
      if (total < MAX_OPEN_JOBS) await this.request(host);
      for (let n = 1; n < actions; n += 1) {
        if (this.random() < 0.5 && total < MAX_OPEN_JOBS) await this.request(host);
        else await this.interfere(host);
      }
    } catch (error) {
      if (!isHostGone(error)) throw error;
    }
  }

  /** Claims and finishes tasks as a media page would. */
  async serveMedia(host: Host, most = 3): Promise<number> {
    for (let done = 0; done < most; done += 1) {
      const { task } = await host.ask('media.claim');
      if (!task) return done;
      const path = `/media?name=${task.kind}.png&task=${task.id}`;
      await (await host.request(path, { method: 'PUT', body: pictureOfTask(task) })).json();
      await host.rpc('media.finish', { taskId: task.id });
    }
    return most;
  }

  seen(job: Job): void {
    if (isTerminal(job.state)) this.expected.ended.set(job.id, job.state);
  }

  private async request(host: Host): Promise<void> {
    const roll = this.random();
    if (roll < 0.1) return this.say(host);
    if (roll < 0.25) return this.chain(host);
    const requests = Array.from({ length: 1 + this.below(3) }, () => this.anyRequest(this.mark()));
    await this.enqueue(host, requests);
  }

  private async say(host: Host): Promise<void> {
    const mark = this.mark();
    const made = await this.call(host, 'chat.create', { model: 'language' });
    if (!made) return;
    const input = {
      conversationId: made.conversationId,
      text: `Tell me of the sea ${mark}`,
      stream: this.random() < 0.7,
    };
    const said = await this.call(host, 'chat.send', input);
    if (!said) return;
    this.expected.acknowledged.set(said.jobId, mark);
    this.expected.messages.set(said.messageId, said.jobId);
    this.expected.log(`acknowledged ${said.jobId} ${mark} chat.send`);
  }

  /** Enqueues a job that builds on another: an extension, a clip from a clip's last frame, an edit of a picture. */
  private async chain(host: Host): Promise<void> {
    const kind = this.pick(['extension', 'frame', 'edit', 'after'] as const);
    const base: StudioRequest =
      kind === 'edit' ? imagine(this.mark()) : kind === 'after' ? this.anyRequest(this.mark()) : clip(this.mark());
    const [first] = await this.enqueue(host, [base]);
    if (!first) return;
    const mark = this.mark();
    if (kind === 'after') return void (await this.enqueue(host, [this.anyRequest(mark)], [first.id]));
    const next: StudioRequest =
      kind === 'edit'
        ? { kind: 'edit', base: { jobId: first.id }, mask: { assetId: this.mask }, prompt: `a red boat ${mark}` }
        : kind === 'extension'
          ? { kind: 'video', model: 'video-standard', prompt: `on and on ${mark}`, video: { jobId: first.id } }
          : clip(mark, { image: { jobId: first.id, frame: 'last' } });
    const [second] = await this.enqueue(host, [next]);
    if (kind !== 'extension' || !second || this.random() < 0.5) return;
    const third = `still on ${this.mark()}`;
    await this.enqueue(host, [{ kind: 'video', model: 'video-standard', prompt: third, video: { jobId: second.id } }]);
  }

  private anyRequest(mark: string): StudioRequest {
    const roll = this.random();
    if (roll < 0.5) return chat(mark, this.random() < 0.7);
    if (roll < 0.75) return imagine(mark);
    const asset = { assetId: this.picture };
    const clips: [StudioRequest, ...StudioRequest[]] = [
      clip(mark),
      clip(mark, { config: { durationSeconds: 4, sampleCount: 2, seed: 7 } }),
      clip(mark, { image: asset }),
      clip(mark, { image: asset, lastFrame: asset }),
      clip(mark, { referenceImages: [asset, asset] }),
    ];
    return this.pick(clips);
  }

  private async enqueue(host: Host, requests: StudioRequest[], dependsOn?: string[]): Promise<Job[]> {
    const input = {
      requests,
      ...(dependsOn ? { dependsOn } : {}),
      ...(this.random() < 0.3 ? { projectId: this.project } : {}),
    };
    const answer = await this.call(host, 'jobs.enqueue', input);
    for (const job of answer?.jobs ?? []) {
      const mark = markerIn(promptOf(job.request)) ?? '';
      this.expected.acknowledged.set(job.id, mark);
      this.expected.log(`acknowledged ${job.id} ${mark} ${job.kind} ${job.state}`);
    }
    return answer?.jobs ?? [];
  }

  private async interfere(host: Host): Promise<void> {
    const roll = this.random();
    if (roll < 0.2) await this.onOne(host, ['queued', 'blocked', 'sending', 'running'], 'jobs.cancel');
    else if (roll < 0.35) await this.onOne(host, ['failed', 'canceled', 'blocked'], 'jobs.retry');
    else if (roll < 0.7) await this.resolve(host);
    else if (roll < 0.78) await this.call(host, this.random() < 0.4 ? 'queue.pause' : 'queue.resume', {});
    else if (roll < 0.86) await this.onOne(host, ['queued', 'blocked'], 'jobs.move');
    else if (roll < 0.93) await this.cap(host);
    else await this.settlePrice(host);
  }

  private async onOne(host: Host, states: JobState[], name: 'jobs.cancel' | 'jobs.retry' | 'jobs.move'): Promise<void> {
    const { jobs } = await host.ask('jobs.list', { limit: 20, states });
    const job = this.pick(jobs);
    if (!job) return;
    this.expected.log(`${name} ${job.id}, which was ${job.state}`);
    const answer = await this.call(host, name, { id: job.id });
    if (!answer) return;
    this.expected.log(`${name} ${job.id} answered ${answer.id} ${answer.state}`);
    this.expected.acknowledged.set(answer.id, markerIn(promptOf(answer.request)) ?? '');
    this.seen(answer);
  }

  private async resolve(host: Host): Promise<void> {
    const { jobs } = await host.ask('jobs.list', { limit: 20, states: ['uncertain'] });
    const job = this.pick(jobs);
    if (!job) return;
    const as = this.pick(['lookup', 'lookup', 'lost', 'resend'] as const) ?? 'lookup';
    this.expected.log(`resolve ${job.id} as ${as}`);
    if (as === 'resend') this.expected.resent(job.id);
    const answer = await this.call(host, 'jobs.resolve', { id: job.id, as });
    if (answer) this.expected.log(`resolve ${job.id} as ${as} answered ${answer.state}`);
    if (answer) this.seen(answer);
  }

  private async cap(host: Host): Promise<void> {
    const scope = this.pick(['day', 'month', 'project'] as const) ?? 'day';
    const hardNano = this.random() < 0.5 ? null : 1_000_000_000 * this.below(2_000);
    const projectId = scope === 'project' ? { projectId: this.project } : {};
    await this.call(host, 'budgets.set', { scope, hardNano, ...projectId });
  }

  /** Settles the price to the interpretation that this gateway bills, or reopens it. */
  private async settlePrice(host: Host): Promise<void> {
    const { prices } = await host.ask('prices.list', {});
    const price = this.pick(prices.filter(({ readings }) => readings.length > 1));
    if (!price) return;
    this.expected.log(`prices.set ${price.kind} ${price.model}`);
    await this.call(host, 'prices.set', { price: { ...price, settledReading: this.random() < 0.8 ? 0 : null } });
  }

  /** Refusals are expected (a late cancel, a cap); a host that is gone ends the actions. */
  private async call<Name extends CallName>(
    host: Host,
    name: Name,
    input: CallInput<Name>,
  ): Promise<CallOutput<Name> | undefined> {
    const result = await host.rpc(name, input);
    if (result.ok) return result.data;
    const { code, message } = result.error;
    this.expected.refused(code);
    this.expected.log(`${name} ${JSON.stringify(input).slice(0, 200)} refused: ${message}`);
    if (code === 'internal') throw new Error(`${name} ${JSON.stringify(input)}: ${message}`);
    if (code === 'disk_full' && !/disk is full.*make room/i.test(message)) throw new Error(`${name}: ${message}`);
    return undefined;
  }

  private mark(): string {
    this.marks += 1;
    return `mark-${this.seed}-${this.marks}.`;
  }

  private below(count: number): number {
    return Math.floor(this.random() * count);
  }

  private pick<T>(list: readonly [T, ...T[]]): T;
  private pick<T>(list: readonly T[]): T | undefined;
  private pick<T>(list: readonly T[]): T | undefined {
    return list[this.below(list.length)];
  }
}

/** The picture that a page would make of a clip: equal bytes for equal tasks only. */
export const pictureOfTask = ({ assetId, kind }: Pick<MediaTask, 'assetId' | 'kind'>): Buffer =>
  testPng(160, 90, crc32(`${kind} ${assetId}`));

const OPEN: JobState[] = ['queued', 'blocked', 'sending', 'running', 'fetching'];

const chat = (mark: string, stream: boolean): StudioRequest => ({
  kind: 'chat',
  model: 'language',
  messages: [{ role: 'user', content: `Tell me of the sea ${mark}` }],
  stream,
});
const imagine = (mark: string): StudioRequest => ({
  kind: 'imagine',
  prompt: `a quay at night ${mark}`,
  mode: 'turbo',
});
const clip = (mark: string, more: object = {}): StudioRequest => ({
  kind: 'video',
  model: 'video-standard',
  prompt: `a quay at night ${mark}`,
  config: { durationSeconds: 4 },
  ...more,
});

/** The unique word in a request's prompt. */
export const markerIn = (prompt: string): string | undefined => /mark-[\w-]+\./.exec(prompt)?.[0];

/** Whether the host was killed during the call. */
export function isHostGone(error: unknown): boolean {
  if (error instanceof SyntaxError) return true;
  return error instanceof TypeError && /fetch failed|terminated/.test(error.message);
}

/** Pure black with a white square. */
function maskPng(side: number): Uint8Array {
  const data = new Uint8Array(side * side);
  for (let y = 30; y < 80; y += 1) data.fill(255, y * side + 30, y * side + 80);
  return encode({ width: side, height: side, data, channels: 1, depth: 8 });
}
