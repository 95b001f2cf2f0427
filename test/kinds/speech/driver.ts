import { registerDriver, type TaskDriver } from '../../../src/main/core/jobs/index.ts';
import { ok } from '../../../src/shared/contract/result.ts';
import type { SpeechRequest } from './kind.ts';

/** How speech is submitted and polled, with the wire form of a service that makes it. */

type Answer = { id?: string; state?: string; percent?: number; audio?: { url: string }; reason?: string } | null;

const STATES: Record<string, 'running' | 'succeeded' | 'failed'> = {
  waiting: 'running',
  ready: 'succeeded',
  broken: 'failed',
};

function read(answer: unknown) {
  const { id, state = '', percent, audio, reason } = (answer as Answer) ?? {};
  const outputs = audio ? [{ uri: audio.url, mime: 'audio/wav', role: 'output' as const }] : [];
  return { state: STATES[state], id, progress: percent, outputs, message: reason };
}

const driver: TaskDriver<SpeechRequest> = {
  protocol: 'task',
  hasWebhook: false,
  prepareSubmit: (_deps, { request: { model, text, seconds } }) =>
    ok((gateway, send) =>
      gateway.submitTask(
        { path: '/v1/audio/speech', body: { model, input: text, seconds }, sent: [text], parse: read },
        send,
      ),
    ),
  poll: (gateway, task, signal) => gateway.poll(task, signal, { path: (id) => `/v1/audio/speech/${id}`, parse: read }),
  pollEveryMs: () => 2_000,
  extraPollsIfMissing: 0,
  compare(_db, _row, { seconds }, { here }) {
    const [sound] = here;
    if (!sound || sound.seconds === null || Math.abs(sound.seconds - seconds) < 0.5) return { differs: [] };
    const made = Math.ceil(sound.seconds);
    return {
      differs: [{ what: 'seconds', ordered: `${seconds} s`, made: `${made} s` }],
      counted: { made: { seconds: made }, most: { seconds: Math.max(made, seconds) } },
    };
  },
  findMissing: () => undefined,
};

export const addSpeechDriver = (): (() => void) => registerDriver<SpeechRequest>('speech', driver);
