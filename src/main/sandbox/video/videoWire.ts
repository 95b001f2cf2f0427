import type { Gateway } from '../context.ts';
import { mediaUrl } from '../mediaRoute.ts';
import type { VideoOperation } from '../state/records.ts';

const FILTER_REASON =
  'The prompt or the generated video was withheld by the safety filter. You have not been charged for it. Rephrase the prompt and try again.';

/** The answer to a submit: a completion that is also a long-running operation (spec 4.1). */
export function submittedBody(operation: VideoOperation) {
  return {
    ...completionFrame(operation, '', null),
    name: operation.id,
    done: false,
    metadata: { progressPercent: 0 },
  };
}

/** `GET /v1/operations/{id}`: progress, then the result or the error. */
export function operationBody(gateway: Gateway, operation: VideoOperation, drawn: number) {
  const { state, id: name } = operation;
  if (state === 'running') {
    return { name, done: false, metadata: { progressPercent: progressOf(operation, gateway.clock.now(), drawn) } };
  }
  const metadata = { progressPercent: 100 };
  if (state === 'failed') return { name, done: true, metadata, error: { code: 13, message: operation.failure } };
  return { name, done: true, metadata, response: { generateVideoResponse: resultOf(gateway, operation) } };
}

/** The completion of a gateway that answers with the finished clip. */
export function finishedBody(gateway: Gateway, operation: VideoOperation) {
  const result = resultOf(gateway, operation);
  const videos = result.generatedSamples.map(({ video }) => video);
  const frame = completionFrame(operation, videos[0]?.uri ?? '', videos.length ? 'stop' : 'content_filter');
  const [choice] = frame.choices;
  return {
    ...frame,
    ...(result.raiMediaFilteredCount && {
      raiMediaFilteredCount: result.raiMediaFilteredCount,
      raiMediaFilteredReasons: result.raiMediaFilteredReasons,
    }),
    choices: [{ ...choice, message: { ...choice?.message, ...(videos[0] && { video: videos[0], videos }) } }],
  };
}

function completionFrame(operation: VideoOperation, content: string, finish: string | null) {
  return {
    id: operation.id,
    object: 'chat.completion',
    created: Math.floor(operation.createdAt / 1000),
    model: operation.model,
    choices: [{ index: 0, message: { role: 'assistant', content }, logprobs: null, finish_reason: finish }],
  };
}

function resultOf(gateway: Gateway, operation: VideoOperation) {
  const generatedSamples = operation.samples.flatMap(({ mediaId, seed }) => {
    const record = mediaId ? gateway.state.media.get(mediaId) : undefined;
    if (!record) return [];
    const expiresAt = new Date(record.expiresAt).toISOString();
    return [{ video: { uri: mediaUrl(gateway, record), mimeType: 'video/mp4', expiresAt }, seed }];
  });
  const filtered = operation.samples.filter((sample) => sample.filtered);
  return {
    generatedSamples,
    ...(filtered.length && {
      raiMediaFilteredCount: filtered.length,
      raiMediaFilteredReasons: filtered.map(() => FILTER_REASON),
    }),
  };
}

/** Grows with time and drawn frames; stays below 100 while the clip is being rendered. */
function progressOf(operation: VideoOperation, now: number, drawn: number): number {
  const latency = Math.max(1, operation.dueAt - operation.createdAt);
  return Math.max(1, Math.min(95, Math.round(100 * Math.min(drawn, (now - operation.createdAt) / latency))));
}
