import type {
  ChatDelta,
  ChatOutcome,
  Gateway,
  PollOutcome,
  RemoteTask,
  RepeatOutcome,
  SendOptions,
  SubmitOutcome,
} from '../../src/main/core/gateway/index.ts';
import { error, lostAnswer, refusal, sentRequest, VIDEO_NANO } from '../helpers/engineHarness.ts';

/**
 * A small model of a gateway: accepts and bills requests, loses answers, and outlives kills of Dailies. A request's fate is set before it
 * arrives; the outcome of an accepted one is decided later.
 */

/** What happens to the next request. */
export const FATES = [
  /** Accepted, and answered with a task. */
  'accepted',
  /** Accepted and made at once. */
  'done',
  /** Accepted, and the answer is lost. */
  'acceptedLost',
  /** Never arrived; to the sender this looks like a lost answer. */
  'lostBefore',
  /** Accepted; the answer is held until the test releases it. */
  'slow',
  'rate',
  'noRoom',
  'invalid',
  'auth',
  'quota',
  'offline',
  /** Accepted and failed at once, without saying whether it is billed. */
  'failedAtOnce',
] as const;
export type Fate = (typeof FATES)[number];

/**
 * The end of an accepted task. `unsaid`: failed and billed, without stating the charge. `forgotten`: billed, and its id is unknown
 * afterwards.
 */
export const TASK_ENDS = ['done', 'failed', 'unsaid', 'forgotten'] as const;
export type TaskEnd = (typeof TASK_ENDS)[number];

interface BilledRequest {
  key: string;
  task: RemoteTask;
  state: 'running' | TaskEnd;
  looks: number;
  nano: number;
}

/** The cost of one chat answer: 10 and 5 tokens at the higher listing. */
const CHAT_NANO = 10 * 270 + 5 * 1_080;
const USAGE = { promptTokens: 10, completionTokens: 5, totalTokens: 15 };
/** An undecided task is done after this many polls. */
const LOOKS_UNTIL_DONE = 4;

export interface ServiceHooks {
  now(): number;
  /** Called right before the first byte of a request. */
  onSend(key: string): void;
  /** Called after a definite refusal. */
  onNo(key: string): void;
  /** Called right before the bytes of an earlier request are sent again. */
  onRepeat(key: string): void;
}

export class ModelService {
  readonly billed: BilledRequest[] = [];
  fates: Fate[] = [];
  /** Number of polls that will fail; the last one answers without any state. */
  pollFaults = 0;
  /** Number of polls whose answers are held until the test releases them. */
  slowPolls = 0;
  private readonly slow: { key: string; answer: () => void }[] = [];
  private readonly hooks: ServiceHooks;
  /** Whether a request with a known key is treated as the first one. */
  private readonly honoursKeys: boolean;

  constructor(honoursKeys: boolean, hooks: ServiceHooks) {
    this.honoursKeys = honoursKeys;
    this.hooks = hooks;
  }

  /** The client of one run of Dailies. */
  client(): Partial<Gateway> {
    const submit = async (_order: unknown, options: SendOptions) => {
      await options.keep?.(sentRequest(options.idempotencyKey, '{}'));
      return this.submit(options.idempotencyKey, VIDEO_NANO);
    };
    return {
      submitVideo: submit,
      submitImagine: submit,
      submitEdit: submit,
      chat: (_order, options, onDelta) => this.chat(options, onDelta),
      repeat: ({ key }) => this.repeat(key),
      accountOf: () => 'account',
      poll: (task) => this.look(task),
      fetchMedia: async () => ({ type: 'gone', error: error({ accepted: 'yes' }) }),
    };
  }

  /** The bill for all requests with a key, in nano-dollars; unfinished work counts as made. */
  billOf(key: string): number {
    return this.billed
      .filter((entry) => entry.key === key && entry.state !== 'failed')
      .reduce((sum, { nano }) => sum + nano, 0);
  }

  /** The number of answers still held. */
  get waiting(): number {
    return this.slow.length;
  }

  answerSlow(index: number): void {
    this.slow.splice(index % Math.max(1, this.slow.length), 1)[0]?.answer();
  }

  /** Ends a running task. */
  end(index: number, end: TaskEnd): void {
    const open = this.billed.filter(({ state }) => state === 'running');
    const entry = open[index % Math.max(1, open.length)];
    if (entry) entry.state = end;
  }

  private submit(key: string, nano: number): Promise<SubmitOutcome> {
    this.hooks.onSend(key);
    const fate = this.fates.shift() ?? 'accepted';
    const no = (outcome: SubmitOutcome): Promise<SubmitOutcome> => {
      this.hooks.onNo(key);
      return Promise.resolve(outcome);
    };
    switch (fate) {
      case 'accepted':
        return Promise.resolve({ type: 'accepted', task: this.take(key, nano).task });
      case 'done': {
        const entry = this.take(key, nano);
        if (entry.state === 'running') entry.state = 'done';
        return Promise.resolve({ type: 'done', remoteId: entry.task.id, outputs: stored(entry) });
      }
      case 'acceptedLost':
        this.take(key, nano);
        return Promise.resolve(lostAnswer);
      case 'lostBefore':
        return Promise.resolve(lostAnswer);
      case 'slow': {
        const { task } = this.take(key, nano);
        return new Promise((done) => this.slow.push({ key, answer: () => done({ type: 'accepted', task }) }));
      }
      case 'rate':
        return no(refusal({ kind: 'rate_limit', retryable: true, status: 429, retryAfterMs: 7_000 }));
      case 'noRoom':
        return no(refusal({ kind: 'server', retryable: true, status: 503 }));
      case 'invalid':
        return no(refusal({ kind: 'invalid', status: 400 }));
      case 'auth':
        return no(refusal({ kind: 'auth', status: 401 }));
      case 'quota':
        return no(refusal({ kind: 'quota', status: 402 }));
      case 'offline':
        return no(refusal({ kind: 'network', retryable: true }));
      case 'failedAtOnce':
        this.take(key, nano).state = 'unsaid';
        return Promise.resolve({ type: 'refused', error: error({ accepted: 'yes' }), billed: 'unknown' });
    }
  }

  /** Like a gateway that honours keys: returns the first request's result, whatever its state. A refusal concerns the repeat alone. */
  private async repeat(key: string): Promise<RepeatOutcome> {
    this.hooks.onRepeat(key);
    const fate = this.fates.shift() ?? 'accepted';
    const answer = (outcome: SubmitOutcome): RepeatOutcome => ({ outcome, replayed: false });
    switch (fate) {
      case 'accepted':
        return answer({ type: 'accepted', task: this.take(key, VIDEO_NANO).task });
      case 'slow': {
        const { task } = this.take(key, VIDEO_NANO);
        return new Promise((done) => this.slow.push({ key, answer: () => done(answer({ type: 'accepted', task })) }));
      }
      case 'done':
        return answer(this.result(this.take(key, VIDEO_NANO)));
      case 'failedAtOnce': {
        const entry = this.take(key, VIDEO_NANO);
        if (entry.state !== 'running') return answer(this.result(entry));
        entry.state = 'unsaid';
        return answer({ type: 'refused', error: error({ accepted: 'yes' }), billed: 'unknown' });
      }
      case 'acceptedLost':
        this.take(key, VIDEO_NANO);
        return answer(lostAnswer);
      case 'lostBefore':
        return answer(lostAnswer);
      case 'rate':
        return answer(refusal({ kind: 'rate_limit', retryable: true, status: 429, retryAfterMs: 7_000 }));
      case 'noRoom':
        return answer(refusal({ kind: 'server', retryable: true, status: 503 }));
      case 'offline':
        return answer(refusal({ kind: 'network', retryable: true }));
      default:
        return answer(refusal({ kind: fate, status: 400 }));
    }
  }

  private result(entry: BilledRequest): SubmitOutcome {
    if (entry.state === 'running') entry.state = 'done';
    if (entry.state === 'failed') return { type: 'refused', error: error({ accepted: 'yes' }), billed: 'no' };
    if (entry.state === 'unsaid') return { type: 'refused', error: error({ accepted: 'yes' }), billed: 'unknown' };
    return { type: 'done', remoteId: entry.task.id, outputs: stored(entry) };
  }

  private async chat(
    { idempotencyKey: key, signal }: SendOptions,
    onDelta: (delta: ChatDelta) => void,
  ): Promise<ChatOutcome> {
    const fate = this.fates[0] ?? 'accepted';
    if (fate === 'slow' || fate === 'accepted' || fate === 'done') {
      this.hooks.onSend(key);
      this.fates.shift();
      this.take(key, CHAT_NANO).state = 'done';
      onDelta({ channel: 'text', text: 'Good ' });
      if (fate === 'slow') await this.untilAnswered(key, signal);
      if (signal?.aborted) return { type: 'answered', complete: false, result: { text: 'Good ', finishReason: 'cut' } };
      onDelta({ channel: 'text', text: 'morning.' });
      const result = { text: 'Good morning.', finishReason: 'stop', usage: USAGE };
      return { type: 'answered', complete: true, result };
    }
    const outcome = await this.submit(key, CHAT_NANO);
    if (outcome.type === 'unknown') return outcome;
    if (outcome.type !== 'refused') throw new Error('a chat is not accepted for later');
    if (outcome.error.accepted === 'no') return { type: 'refused', error: outcome.error, billed: 'no' };
    return { type: 'unknown', error: outcome.error };
  }

  private untilAnswered(key: string, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((done) => {
      const entry = { key, answer: done };
      this.slow.push(entry);
      signal?.addEventListener('abort', () => {
        const at = this.slow.indexOf(entry);
        if (at >= 0) this.slow.splice(at, 1);
        done();
      });
    });
  }

  private take(key: string, nano: number): BilledRequest {
    const known = this.honoursKeys ? this.billed.find((entry) => entry.key === key) : undefined;
    if (known) return known;
    const id = `task-${this.billed.length + 1}`;
    const entry: BilledRequest = {
      key,
      nano,
      looks: 0,
      state: 'running',
      task: { id, kind: 'video', acceptedAt: this.hooks.now() },
    };
    this.billed.push(entry);
    return entry;
  }

  /** A held poll reports the task's state at the time of the poll. */
  private look(task: RemoteTask): Promise<PollOutcome> {
    const outcome = this.poll(task);
    if (this.slowPolls === 0) return Promise.resolve(outcome);
    this.slowPolls -= 1;
    return new Promise((done) => this.slow.push({ key: task.id, answer: () => done(outcome) }));
  }

  private poll(task: RemoteTask): PollOutcome {
    if (this.pollFaults > 0) {
      this.pollFaults -= 1;
      if (this.pollFaults === 0) return { type: 'missing' };
      const answered = this.pollFaults % 2 === 0 ? { status: 502 } : {};
      return { type: 'unreachable', error: error({ kind: 'network', accepted: 'yes', ...answered }) };
    }
    const entry = this.billed.find((known) => known.task.id === task.id);
    if (!entry || entry.state === 'forgotten') return { type: 'missing' };
    entry.looks += 1;
    if (entry.state === 'running' && entry.looks >= LOOKS_UNTIL_DONE) entry.state = 'done';
    switch (entry.state) {
      case 'running':
        return { type: 'running', progress: (entry.looks * 37) % 100 };
      case 'done':
        return { type: 'done', outputs: stored(entry) };
      case 'failed':
        return { type: 'failed', error: error({ kind: 'moderation', accepted: 'yes' }), billed: 'no' };
      case 'unsaid':
        return { type: 'failed', error: error({ accepted: 'yes' }), billed: 'unknown' };
    }
  }
}

/** Results in object storage, with nothing to download. */
const stored = ({ task }: BilledRequest) => [{ uri: `gs://made/${task.id}.mp4`, role: 'output' as const }];
