import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { clientOf, KEY, SEND } from '../../../../../test/helpers/gateway/client.ts';
import { chunk, STREAM_END, STREAM_HEAD } from '../../../../../test/helpers/gateway/rawServer.ts';
import { serversOfThisFile } from '../../../../../test/helpers/gateway/serversOfThisFile.ts';
import { testPng } from '../../../../../test/helpers/png.ts';
import type { Json } from '../json/parse.ts';
import type { ChatDelta, RemoteOutput } from '../types.ts';

const serve = serversOfThisFile();

const picture = (side: number): string => `data:image/png;base64,${testPng(side, 16).toString('base64')}`;
const [ONE, OTHER] = [picture(8), picture(9)];
const ELSEWHERE = 'https://cdn.example/fox.png';
const part = (url: string): Json => ({ type: 'image_url', image_url: { url } });

interface Form {
  content?: Json;
  images?: Json[];
  /** What stays of the words. */
  text?: string;
  pictures?: string[];
}

/** `HOME` stands for the gateway's own address. */
const FORMS: Record<string, Form> = {
  'beside empty words': {
    content: '',
    images: [{ index: 0, type: 'image_url', image_url: { url: ONE } }],
    pictures: [ONE],
  },
  'beside no words, without a type': { content: null, images: [{ image_url: { url: ONE } }], pictures: [ONE] },
  'beside words, two, and one of them twice': {
    content: 'Two foxes.',
    images: [part(ONE), part(OTHER), part(ONE)],
    text: 'Two foxes.',
    pictures: [ONE, OTHER],
  },
  'beside the words, as an address': {
    content: 'A fox.',
    images: [part(ELSEWHERE)],
    text: 'A fox.',
    pictures: [ELSEWHERE],
  },
  'beside no words, as a plain address': { content: '', images: [ELSEWHERE], pictures: [ELSEWHERE] },
  'as a part': { content: [{ type: 'text', text: 'A fox.' }, part(ONE)], text: 'A fox.', pictures: [ONE] },
  'as a part of Gemini': { content: [{ inlineData: { mimeType: 'image/png', data: ONE.slice(22) } }], pictures: [ONE] },
  'in Markdown': { content: `Here!\n\n![a fox](${ONE})\n\nMore?`, text: 'Here!\n\n\n\nMore?', pictures: [ONE] },
  'in Markdown with a title, and beside it': {
    content: `![a fox](${ONE} "Fox")`,
    images: [part(ONE)],
    pictures: [ONE],
  },
  'in Markdown, cut off': { content: `A fox: ![fox](${ONE}`, text: 'A fox: ', pictures: [ONE] },
  'in Markdown, at the gateway': {
    content: '![a fox](HOME/fox.png) Done.',
    text: ' Done.',
    pictures: ['HOME/fox.png'],
  },
  'as the whole answer': { content: `\n${ONE}\n`, text: '\n', pictures: [ONE] },
  'named elsewhere, which stays a link': {
    content: `[![build](${ELSEWHERE})](https://ci.example) ok`,
    text: `[![build](${ELSEWHERE})](https://ci.example) ok`,
  },
  'that is none': {
    content: 'So: ![x](data:image/png;base64,AAAABBBBCCCCDDDDEEEEFFFF) ![y](data:image/png;base64,…)',
    text: 'So: ![x](data:image/png;base64,AAAABBBBCCCCDDDDEEEEFFFF) ![y](data:image/png;base64,…)',
  },
  'that the request has named': {
    content: '![mine](HOME/mine.png)',
    images: ['HOME/mine.png'],
    text: '![mine](HOME/mine.png)',
  },
  'of which there are only signs': { content: 'data: 3! ![ !', text: 'data: 3! ![ !' },
};

/** An answer in one document, in a stream, and in a stream of few characters at a time. */
type Way = (message: Form) => Json[];
const WAYS: Record<string, Way> = {
  whole: ({ content = '', images = [] }) => [
    { choices: [{ message: { role: 'assistant', content, images }, finish_reason: 'stop' }] },
  ],
  streamed: ({ content = '', images = [] }) => [delta({ content, images })],
  'streamed in pieces': ({ content = '', images = [] }) => [
    ...(typeof content === 'string' ? (content.match(/.{1,3}/gs) ?? []) : [content]).map((piece) =>
      delta({ content: piece }),
    ),
    delta({ content: '', images }),
  ],
};
const delta = (inner: Json): Json => ({ choices: [{ index: 0, delta: inner }] });
const STOP: Json = { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] };

/** What comes of an answer of these documents; `end`: of the stream, which otherwise breaks off. */
async function answered(
  documentsAt: (home: string) => Json[],
  { stream, end = true }: { stream: boolean; end?: boolean },
) {
  const server = await serve(({ headers }, socket) => {
    const documents = documentsAt(`http://${headers.host}`);
    const bodies = [...documents, ...(stream && end ? [STOP] : [])].map((one) => JSON.stringify(one));
    if (!stream) {
      const length = Buffer.byteLength(bodies[0] ?? '');
      return void socket.write(
        `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n${bodies[0]}`,
      );
    }
    socket.write(STREAM_HEAD);
    for (const body of bodies) socket.write(chunk(`data: ${body}\n\n`));
    if (end) socket.write(STREAM_END);
    else socket.end();
  });
  const deltas: ChatDelta[] = [];
  const came: RemoteOutput[] = [];
  const order = { model: 'm', messages: [{ role: 'user' as const, content: `Like ${server.url}/mine.png` }], stream };
  const outcome = await clientOf(server.url).gateway.chat(
    order,
    SEND,
    (one) => deltas.push(one),
    (output) => came.push(output),
  );
  return { outcome, came, told: deltas.map(({ text }) => text).join(''), home: server.url };
}

test.each(Object.keys(WAYS).flatMap((way) => Object.keys(FORMS).map((form) => [form, way] as const)))(
  'a picture %s, %s',
  async (form, way) => {
    const { text = '', pictures = [], ...message } = FORMS[form] as Form;
    const documents = (home: string): Json[] =>
      (WAYS[way] as Way)(JSON.parse(JSON.stringify(message).replaceAll('HOME', home)));
    const { outcome, came, told, home } = await answered(documents, { stream: way !== 'whole' });
    const here = (value: string): string => value.replaceAll('HOME', home);
    expect(came).toEqual(pictures.map((uri) => ({ uri: here(uri), role: 'output' })));
    expect(told).toBe(here(text));
    const known = pictures.length > 0 ? { pictures: pictures.length } : {};
    expect(outcome).toMatchObject({
      type: 'answered',
      complete: true,
      result: { text: told, finishReason: 'stop', ...known },
    });
  },
);

test('a picture of eight megabytes alone in a chunk comes whole, once, also where the stream breaks off behind it', async () => {
  const large = `data:image/jpeg;base64,${Buffer.concat([Buffer.from('ffd8ff', 'hex'), randomBytes(8_000_000)]).toString('base64')}`;
  const alone = await answered(() => [delta({ content: 'Fox.' }), delta({ images: [part(large)] })], {
    stream: true,
    end: false,
  });
  expect(alone.came.map(({ uri }) => uri === large)).toEqual([true]);
  expect(alone.outcome).toMatchObject({ type: 'answered', complete: false, result: { text: 'Fox.', pictures: 1 } });
  const pieces = `![fox](${large})`.match(/.{1,60000}/gs) ?? [];
  const inWords = await answered(() => pieces.map((content) => delta({ content })), { stream: true });
  expect(inWords.came.map(({ uri }) => uri === large)).toEqual([true]);
  expect(inWords.outcome).toMatchObject({ type: 'answered', complete: true, result: { text: '', pictures: 1 } });
});

test('an answer has at most two hundred pictures and 64 MB of them; the rest is said to be cut', async () => {
  const many = Array.from({ length: 300 }, (_, at) => part(`https://cdn.example/${at}.png`));
  const { came, outcome } = await answered(() => [delta({ images: many })], { stream: true });
  expect(came).toHaveLength(200);
  expect(outcome).toMatchObject({ type: 'answered', complete: false, result: { pictures: 200 } });
  const block = 'A'.repeat(30_000_000);
  const large = [1, 2, 3].map((n) => delta({ images: [part(`data:image/png;base64,${n}${block}`)] }));
  expect((await answered(() => large, { stream: true })).came).toHaveLength(2);
});

test('an address with the key in it is kept without the key', async () => {
  const { came } = await answered(() => [delta({ images: [part(`https://cdn.example/a.png?key=${KEY}`)] })], {
    stream: true,
  });
  expect(came[0]?.uri).not.toContain(KEY);
});
