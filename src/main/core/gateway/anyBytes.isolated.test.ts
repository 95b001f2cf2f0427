import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countWork } from '../../../../test/helpers/countWork.ts';
import { clipsIn, failureIn, taskIdIn } from './addresses/links.ts';
import { nestedObjects } from './addresses/mediaAddress.ts';
import { ChatAssembly } from './chat/assembly.ts';
import { errorKindOf } from './errors/classify.ts';
import { retryAfterMs } from './errors/retryAfter.ts';
import { explicitError, serviceErrorOf } from './errors/serviceError.ts';
import { type Answer, documentsIn, lastDocument, readAnswer, requestIdOf } from './exchange/answer.ts';
import { parseImage } from './families/imageTasks/parsedImage.ts';
import type { Response } from './http/transport.ts';
import type { Json } from './json/parse.ts';
import { parsePartialJson } from './json/parse.ts';
import { taskFromWebhook } from './tasks/taskId.ts';
import { parseVideo } from './tasks/video/parsedVideo.ts';

/** An answer may be anything. It must become a value, in time that grows with its length. */
const READING = { base: 'https://api.example', isEcho: () => false };

function responseOf(pieces: Uint8Array[]): Response {
  async function* body(): AsyncGenerator<Uint8Array> {
    yield* pieces;
  }
  return { status: 200, headers: {}, body: body(), allowIdle: () => undefined, discard: () => undefined };
}

async function readEverything(pieces: Uint8Array[]): Promise<void> {
  const assembly = new ChatAssembly(() => undefined);
  const streamed = await readAnswer(responseOf(pieces), {
    limit: 100_000,
    onEvent: (event) => {
      for (const document of documentsIn(event)) assembly.push(document, event.name);
    },
  });
  const plain = await readAnswer(responseOf(pieces), { limit: 100_000 });
  assembly.end();
  assembly.state();
  for (const answer of [streamed, plain]) readAs(answer.json ?? answer.text);
}

function readAs(body: Json): void {
  const assembly = new ChatAssembly(() => undefined);
  assembly.push(body);
  assembly.end();
  parseVideo(body, READING);
  parseImage(body, READING);
  explicitError(body);
  errorKindOf(serviceErrorOf(body), 500);
  retryAfterMs({}, body, 0);
  requestIdOf({}, body);
  nestedObjects(body);
  parsePartialJson(typeof body === 'string' ? body : JSON.stringify(body).slice(0, -1));
  taskFromWebhook(typeof body === 'string' ? body : JSON.stringify(body), { prompt: '', at: 0 });
}

const NAMES =
  'choices delta message content error code status data result output video videos uri url images imageUrl id taskId progress usage tool_calls function arguments done response name type text'.split(
    ' ',
  );
const TEXTS = [
  ...['', '```json\n{"video":{"uri":"https://c"}}\n```'],
  ...'SUCCESS failed https://c/a.mp4 gs://b/a data:video/mp4;base64,AAAA {"a":1} [1] 45% <think> <html> operations/abc'.split(
    ' ',
  ),
];
const answerish = fc.letrec<{ node: Json }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 6 },
    fc.constantFrom<Json>(...TEXTS, null, true, false, 0, 1, 200, 2 ** 53),
    fc.array(tie('node'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...NAMES), tie('node'), { maxKeys: 4 }),
  ),
})).node;

test('any JSON that looks like an answer becomes a value', () => {
  fc.assert(
    fc.property(answerish, (body) => readAs(body)),
    { numRuns: 1_500 },
  );
});

test('an object in place of a text, with names that JavaScript would call', () => {
  const trap = { toString: null, valueOf: 1, constructor: 'x', __proto__: { a: 1 } };
  for (const name of NAMES)
    readAs({
      [name]: trap,
      error: { code: trap, message: trap },
      choices: [{ message: { [name]: trap } }],
      data: { [name]: trap },
    });
});

test('any bytes, in any pieces, become a value', async () => {
  const text = fc.oneof(
    fc.string(),
    answerish.map((body) => JSON.stringify(body)),
    answerish.map((body) => `data: ${JSON.stringify(body)}\n\n`),
  );
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    text.map((value) => new TextEncoder().encode(value)),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(bytes, { maxLength: 5 }), (pieces) => readEverything(pieces)),
    { numRuns: 400 },
  );
});

test.each(['{"error":{"message":"内容违规"}}', '\ufeff{"id":"ü"}', 'data: {"id":"é"}\n\n', '<p>Größe</p>', 'Grüße'])(
  '%s byte by byte is the same answer',
  async (text) => {
    const bytes = Buffer.from(text);
    for (const onEvent of [undefined, () => undefined]) {
      const read = (pieces: Uint8Array[]) => readAnswer(responseOf(pieces), { limit: 100_000, onEvent });
      expect(await read(Array.from(bytes, (byte) => Uint8Array.of(byte)))).toEqual(await read([bytes]));
    }
  },
);

test.each([
  ['opening brackets', '['],
  ['braces', '{"a":'],
  ['angle brackets', '<'],
  ['unclosed links', '[a]('],
  ['schemes', 'https://'],
  ['think tags', '<think></think>'],
  ['fences', '```json\n{'],
  ['slashes', 'operations/'],
  ['projects', 'projects/a/'],
  ['task ids', 'task id: '],
  ['spaces', ' '],
  ['percent signs', '1%'],
])('a run of %s that is twice as long is twice the work, and no more', async (_name, unit) => {
  const work = (length: number): Promise<number> => {
    const text = unit.repeat(Math.ceil(length / unit.length));
    return countWork(async () => {
      readAs(text);
      readAs({ choices: [{ message: { content: text } }], status: text, error: { message: text }, url: text });
      clipsIn(text);
      taskIdIn(text);
      failureIn(text);
      await readEverything([new TextEncoder().encode(text)]);
    });
  };
  const once = await work(10_000);
  const twice = await work(20_000);
  expect(twice / once).toBeLessThan(2.2);
});

test('an answer that is too large is truncated and marked so', async () => {
  const piece = new TextEncoder().encode(' '.repeat(10_000));
  const answer = await readAnswer(responseOf(Array.from({ length: 50 }, () => piece)), { limit: 100_000 });
  expect(answer.truncatedBy?.message).toMatch(/too large/);
  const event = new TextEncoder().encode(`data: ${'x'.repeat(10_000)}`);
  const stream = await readAnswer(responseOf(Array.from({ length: 50 }, () => event)), {
    limit: 100_000,
    onEvent: () => undefined,
  });
  expect(stream.truncatedBy?.message).toMatch(/too large/);
  const page = new TextEncoder().encode(`<html>${'<p>'.repeat(300_000)}`);
  for (const onEvent of [undefined, () => undefined]) {
    const pages = await readAnswer(responseOf([page, page, page, page]), { limit: 100_000_000, onEvent });
    expect([pages.form, pages.text.length < 2_000_000]).toEqual(['page', true]);
  }
});

test('an answer that arrived at once is read in portions, with turns for other work in between', async () => {
  const piece = Buffer.from('data: x\n\n'.repeat(8_000));
  let turns = 0;
  let over = false;
  const count = (): void => {
    turns += 1;
    if (!over) setImmediate(count);
  };
  setImmediate(count);
  await readAnswer(responseOf(Array.from({ length: 40 }, () => piece)), { limit: 100_000, onEvent: () => undefined });
  over = true;
  expect(turns).toBeGreaterThanOrEqual(40);
});

test.each([
  ['comments', ': wait\n'],
  ['empty data', 'data:\n'],
  ['fields', 'event: wait\r'],
])('a document behind some %s is read, and one behind hundreds of thousands is no answer', async (_name, line) => {
  const read = async (count: number) => {
    const text = `${line.repeat(count)}data: {"id":"task-7"}`;
    return (await readAnswer(responseOf([Buffer.from(text)]), { limit: 10_000_000 })).json;
  };
  expect(await read(300)).toEqual({ id: 'task-7' });
  expect(await read(300_000)).toBeUndefined();
});

test('of endless lines the last ones are searched, whatever ends them', () => {
  const answer = (text: string): Answer => ({ status: 200, headers: {}, form: 'text', text });
  for (const end of ['\n', '\r\n', '\r']) {
    const text = `${`: wait${end}`.repeat(100_000)}data: {"id":"a"}${end}data: {"id":"b"}${end}${end}`;
    expect(lastDocument(answer(text))).toEqual({ id: 'b' });
  }
  expect(lastDocument(answer(`{"id":"a"}\n${'\n'.repeat(3_000)}`))).toBeUndefined();
});
