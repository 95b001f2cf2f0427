import { describe, expect, test } from 'vitest';
import { casesOf } from '../../../../test/helpers/gateway/cases.ts';
import { clientOf, SEND } from '../../../../test/helpers/gateway/client.ts';
import { reply } from '../../../../test/helpers/gateway/rawServer.ts';
import { serversOfThisFile } from '../../../../test/helpers/gateway/serversOfThisFile.ts';
import { uniqueBy } from '../../../shared/contract/values.ts';
import { SENTENCES } from './errors/rules/sentences.ts';
import type { ChatOutcome, SubmitOutcome } from './types.ts';

/**
 * A paid request was sent, and its answer does not prove that it was not accepted. It must neither be sent again automatically nor be
 * counted as free, whatever the text of the answer and wherever it redirects.
 */

const serve = serversOfThisFile();

/** The outcome of a paid request of each kind with this answer. */
async function ordersAt(url: string): Promise<Record<string, SubmitOutcome | ChatOutcome>> {
  const { gateway } = clientOf(url);
  const messages = [{ role: 'user' as const, content: 'a tide' }];
  const outcomes = {
    video: await gateway.submitVideo({ model: 'video-pro', prompt: 'a tide', config: {} }, SEND),
    image: await gateway.submitImagine({ prompt: 'a tide', mode: 'fast' }, SEND),
    chat: await gateway.chat({ model: 'm', messages, stream: false }, SEND, () => undefined),
    stream: await gateway.chat({ model: 'm', messages, stream: true }, SEND, () => undefined),
  };
  await gateway.close();
  return outcomes;
}

function isOpen(outcome: SubmitOutcome | ChatOutcome, about: string): void {
  expect(outcome, about).toMatchObject({ error: { accepted: 'unknown' } });
  if (outcome.type === 'refused')
    expect(outcome, about).toMatchObject({ billed: 'unknown', error: { retryable: false } });
  else expect(outcome.type, about).toBe('unknown');
}

const said = casesOf('sentences').map(({ name, body }) => ({ name, words: JSON.stringify(body) }));
/** One of each kind. */
const SAID = [
  'Rate limit reached, please try again in 20 s.',
  ...uniqueBy(SENTENCES, ({ level, kind }) => `${level} ${kind}`).map(
    ({ fixture }) =>
      /"(?:message|detail)":"([^"]+)"/.exec(said.find(({ name }) => name === fixture)?.words ?? '')?.[1] ?? '',
  ),
].map((words) => `We are sorry: ${words} just happened here.`);

describe('no sentence makes a definite no of', () => {
  test.each<[string, number, (said: string) => object | string]>([
    ['status failed', 200, (said) => ({ status: 'failed', message: said })],
    ['status error', 200, (said) => ({ status: 'error', error: said })],
    ['state failed', 200, (said) => ({ state: 'FAILED', fail_reason: said })],
    ['success false', 200, (said) => ({ success: false, message: said })],
    ['ok false', 201, (said) => ({ ok: false, msg: said })],
    ['a code that nobody knows', 200, (said) => ({ code: -1, msg: said })],
    ['an error', 200, (said) => ({ error: { message: said } })],
    ['a sentence alone', 200, (said) => ({ message: said })],
    ['a 500', 500, (said) => ({ error: { message: said } })],
    ['a 502', 502, (said) => said],
    ['a 503 without a header', 503, (said) => ({ detail: said })],
    ['a status that nobody knows', 418, (said) => ({ error: said })],
  ])('%s', async (_name, status, body) => {
    let said = '';
    const server = await serve((_request, socket) => socket.write(reply(status, body(said))));
    for (const sentence of SAID) {
      said = sentence;
      const before = server.requests.length;
      for (const [kind, outcome] of Object.entries(await ordersAt(server.url))) isOpen(outcome, `${kind}: ${sentence}`);
      expect(server.requests.length - before, 'each order is sent once').toBe(4);
    }
  });
});

const PAGE = '<!doctype html><html><title>Sign in</title><form action="/login">…</form></html>';

describe('a good status around', () => {
  test.each<[string, number, string | object, Record<string, string>?]>([
    ['a sign-in page', 200, PAGE],
    ['a page that calls itself JSON', 200, PAGE, { 'content-type': 'application/json' }],
    ['a page in a string', 200, JSON.stringify(PAGE)],
    ['a page behind a comment', 200, `<!-- portal -->${PAGE}`],
    ['an XML note', 200, '<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>'],
    ['a page with 201', 201, PAGE],
    ['a page with 203 of a proxy', 203, PAGE],
    ['nothing', 200, ''],
    ['204', 204, ''],
    ['205', 205, ''],
    ['202 and nothing', 202, ''],
    ['white space', 200, ' \r\n\t'],
    ['an empty object', 200, {}],
    ['null', 200, 'null'],
    ['an empty list', 200, []],
    ['words of a portal', 200, 'Please sign in to use this network.'],
    ['a script', 200, "window.top.location = '/login';"],
    ['half a page', 200, '<htm'],
  ])('%s leaves the cost of an order open', async (_name, status, body, headers) => {
    const server = await serve((_request, socket) => socket.end(reply(status, body, headers)));
    for (const [kind, outcome] of Object.entries(await ordersAt(server.url))) {
      // A plain text may be the answer to a chat.
      if (outcome.type === 'answered') expect(typeof body === 'string' && /^[^<"]/.test(body)).toBe(true);
      else isOpen(outcome, kind);
    }
    expect(server.requests).toHaveLength(4);
  });
});

describe('a redirect of a paid request', () => {
  const send = async (status: number, location?: string): Promise<Record<string, SubmitOutcome | ChatOutcome>> => {
    const server = await serve((_request, socket) =>
      socket.end(reply(status, '', location === undefined ? {} : { location })),
    );
    const outcomes = await ordersAt(server.url);
    expect(
      server.requests.map(({ method }) => method),
      'it is not followed',
    ).toEqual(['POST', 'POST', 'POST', 'POST']);
    return outcomes;
  };

  test.each([300, 302, 303, 304, 305, 306, 399])('%i may come after the request was accepted', async (status) => {
    for (const location of [
      undefined,
      '/login',
      'http://127.0.0.1:9/v1/tasks/task_77',
      'https://portal.example/',
      '::',
    ]) {
      for (const [kind, outcome] of Object.entries(await send(status, location)))
        isOpen(outcome, `${kind} ${location}`);
    }
  });

  test.each([301, 307, 308])('%i means that nothing was done here, wherever it redirects', async (status) => {
    for (const location of [undefined, '/v1/', 'https://other.example/v1/chat/completions']) {
      for (const outcome of Object.values(await send(status, location)))
        expect(outcome).toMatchObject({ type: 'refused', billed: 'no', error: { kind: 'invalid', accepted: 'no' } });
    }
  });

  test.each([302, 303])("%i to a task at the profile's origin can be polled", async (status) => {
    const { video, image, chat } = await send(status, '/v1/tasks/task_77');
    expect(video).toMatchObject({
      type: 'unknown',
      task: { id: 'task_77', kind: 'video', pollPath: '/v1/tasks/task_77' },
    });
    expect(image).toMatchObject({
      type: 'unknown',
      task: { id: 'task_77', kind: 'image', pollPath: '/v1/tasks/task_77' },
    });
    expect(chat).not.toHaveProperty('task');
  });

  test.each(['/login?next=%2Fv1', 'https://other.example/v1/tasks/task_77', '//other.example/tasks/task_77', '/'])(
    'a redirect to %s names no task',
    async (location) => {
      const { video, image } = await send(302, location);
      expect(video).not.toHaveProperty('task');
      expect(image).not.toHaveProperty('task');
    },
  );
});

test.each([
  ['interim answers, and then nothing', 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'],
  ['102 Processing, and then nothing', 'HTTP/1.1 102 Processing\r\n\r\n'],
  ['100 Continue, and then nothing', 'HTTP/1.1 100 Continue\r\n\r\n'],
  ['a switch of protocols', 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'],
  ['half a head', 'HTTP/1.1 200 OK\r\ncontent-le'],
  ['no HTTP', 'SSH-2.0-OpenSSH_9.6\r\n'],
])('%s leaves the cost of an order open', async (_name, bytes) => {
  const server = await serve((_request, socket) => socket.end(bytes));
  for (const [kind, outcome] of Object.entries(await ordersAt(server.url))) isOpen(outcome, kind);
  expect(server.requests).toHaveLength(4);
});
