import {
  chunk,
  type ReceivedRequest,
  rawServer,
  reply,
  STREAM_END,
  STREAM_HEAD,
} from '../helpers/gateway/rawServer.ts';
import type { ChaosService } from './faultyService.ts';
import type { Api } from './matrix.ts';
import { type CellResult, runScenario } from './runCell.ts';
import { BILL_NANO, MEDIA, pollAnswer, SUBMIT_ANSWER, TASK_ID } from './serviceAnswers.ts';

/** Where an otherwise good gateway repeats the caller's key. */
type Place =
  | 'task id'
  | 'poll address'
  | 'result address'
  | 'result elsewhere'
  | 'result name'
  | 'chat text'
  | 'status words';

/** Request, place of the key, expected end. */
export const BAD_SERVICE_CASES: readonly (readonly [Api, Place, string])[] = [
  ['chat', 'chat text', 'succeeded; charged; 1 sent'],
  ['video', 'poll address', 'succeeded; charged; 1 sent'],
  ['video', 'result address', 'succeeded; charged; 1 sent'],
  ['video', 'result elsewhere', 'succeeded; charged; 1 sent'],
  ['video', 'result name', 'succeeded; charged; 1 sent'],
  ['video', 'status words', 'succeeded; charged; 1 sent'],
  // An id with the key cannot be stored, so the task cannot be polled, and its cost is unconfirmed.
  ['video', 'task id', 'uncertain (timeout); doubt; 1 sent'],
  ['images', 'result address', 'succeeded; charged; 1 sent'],
  ['images', 'result elsewhere', 'succeeded; charged; 1 sent'],
  ['images', 'result name', 'succeeded; charged; 1 sent'],
  ['images', 'status words', 'succeeded; charged; 1 sent'],
  ['images', 'task id', 'uncertain (timeout); doubt; 1 sent'],
];

/** Plays one case against the whole studio. */
export async function playBadService(api: Api, place: Place): Promise<CellResult> {
  const played = await runScenario(api, (_clock, key) => startCareless(api, place, key));
  const canAsk = place !== 'task id';
  return { ...played, broken: played.broken.filter((fault) => canAsk || !fault.startsWith('looked up')) };
}

/** A gateway that answers correctly, but repeats the key in one place. */
async function startCareless(api: Api, place: Place, key: string): Promise<ChaosService> {
  let sent = 0;
  let looks = 0;
  const other = await rawServer((request, socket) => socket.write(bytesOf(request)));
  const id = api === 'chat' ? '' : place === 'task id' ? `${TASK_ID[api]}_${key}` : TASK_ID[api];
  const named = (text: string): string => (api === 'chat' ? text : text.replaceAll(TASK_ID[api], id));
  const server = await rawServer((request, socket) => {
    const { method, path } = request;
    if (method === 'POST' && /completions$|submit\/\w+$/.test(path)) {
      sent += 1;
      if (api === 'chat') return void socket.write(stream(place, key));
      const answer = JSON.parse(named(SUBMIT_ANSWER[api][0])) as object;
      const poll = place === 'poll address' ? { pollingUrl: `${server.url}/v1/describeHit/${id}?key=${key}` } : {};
      return void socket.write(reply(200, { ...answer, ...poll }, { 'x-request-id': `req-${key}` }));
    }
    if (path.startsWith('/media/')) return void socket.write(mediaReply(request, place, key));
    if (api === 'chat' || !path.includes(encodeURIComponent(id))) return void socket.write(reply(404, { error: 'no' }));
    if (place === 'poll address' && !path.includes(`key=${key}`)) return void socket.write(reply(404, { error: 'no' }));
    looks += 1;
    const words = place === 'status words' ? { detail: `made for ${key}`, message: `bearer ${key}` } : {};
    const found = JSON.stringify({ ...pollAnswer(api, server.url, looks), ...words });
    socket.write(reply(200, JSON.parse(withKeyInAddress(named(found), place, key, other.url)) as object));
  });
  return {
    url: server.url,
    elsewhere: other.url,
    sent: () => sent,
    bill: () => sent * BILL_NANO[api],
    transition: () => Promise.resolve(),
    thirdPartyRequests: () => [...other.requests.map((got) => JSON.stringify(got))],
    recover: () => Promise.resolve(),
    close: async () => {
      await Promise.all([server.close(), other.close()]);
    },
  };
}

function withKeyInAddress(answer: string, place: Place, key: string, elsewhere: string): string {
  if (place === 'result elsewhere') return answer.replace(/http:[^"]+(\/media\/\w+\.\w+)/, `${elsewhere}$1?key=${key}`);
  if (place === 'result address') return answer.replace(/(\/media\/\w+\.\w+)/, `$1?key=${key}`);
  return place === 'result name' ? answer.replace(/\/media\//, `/media/${key}/`) : answer;
}

/** The key is split over two pieces. */
function stream(place: Place, key: string): Buffer {
  const outputs = place === 'chat text' ? ['You sent ', key.slice(0, 11), `${key.slice(11)}, `] : [];
  const pieces = outputs.map(
    (content) => `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`,
  );
  return Buffer.concat([
    Buffer.from(STREAM_HEAD),
    ...[...pieces, ...SUBMIT_ANSWER.chat].map(chunk),
    Buffer.from(STREAM_END),
  ]);
}

/** Where the result's address contains the key, requests without it fail. */
function mediaReply(request: ReceivedRequest, place: Place, key: string): Buffer {
  const needs = place === 'result address' || place === 'result name';
  if (needs && !request.path.includes(key)) return Buffer.from(reply(403, { error: 'the address is not whole' }));
  return bytesOf(request);
}

function bytesOf({ path }: ReceivedRequest): Buffer {
  const media = Object.values(MEDIA).find((known) => path.includes(known.path.slice('/media/'.length)));
  if (!media) return Buffer.from(reply(404, { error: 'nothing here' }));
  const head = `HTTP/1.1 200 OK\r\ncontent-type: ${media.type}\r\ncontent-length: ${media.bytes.length}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), media.bytes]);
}
