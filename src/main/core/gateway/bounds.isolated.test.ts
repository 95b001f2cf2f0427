import { expect, test, vi } from 'vitest';
import { countWork, growthOf } from '../../../../test/helpers/countWork.ts';
import { chatReader } from '../../../../test/helpers/gateway/chatReader.ts';
import { MAX_ANSWER_LENGTH, MAX_TOOL_CALLS } from '../../../shared/kinds/chat.ts';
import { readPriceList } from './account/priceList.ts';
import { taskIdIn } from './addresses/links.ts';
import { ChatAssembly } from './chat/assembly.ts';
import { explicitError, serviceErrorOf } from './errors/serviceError.ts';
import { createDocumentKeeper, firstDocuments } from './exchange/answer.ts';
import { withoutEcho } from './exchange/echo.ts';
import { parseImage } from './families/imageTasks/parsedImage.ts';
import { field } from './json/fields.ts';
import { type Json, type JsonObject, parseJson, truncateJson, valuesIn } from './json/parse.ts';
import { parseVideo, parseVideoDocuments } from './tasks/video/parsedVideo.ts';

/** Answers of any size: work grows linearly with them, and stops at a bound. Their outer values are still read. */

const READING = { base: 'https://api.example', isEcho: () => false };
const times = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));
const fields = (count: number, make: (at: number) => Json, name = 'field_'): JsonObject =>
  Object.fromEntries(times(count, (at) => [`${name}${at}`, make(at)]));

const SHAPES: [string, (count: number) => Json][] = [
  ['fields', (count) => fields(count, (at) => `x${at}`)],
  ['objects', (count) => fields(count, () => ({ id: 'x' }))],
  ['fields in data', (count) => ({ data: fields(count, (at) => at) })],
  ['addresses of clips', (count) => fields(count, (at) => `https://c.example/${at}.mp4`, 'video_url_')],
  [
    'addresses of pictures',
    (count) => ({ status: 'SUCCESS', ...fields(count, (at) => `https://c.example/${at}.png`, 'image_url_') }),
  ],
  [
    'pictures in a list and alone',
    (count) => ({
      status: 'SUCCESS',
      images: times(count, (at) => `https://c.example/l${at}.png`),
      ...fields(count, (at) => `https://d.example/${at}.png`, 'picture_uri_'),
    }),
  ],
  [
    'lists of pictures',
    (count) => fields(count, (at) => [`https://c.example/${at}.png`, `https://c.example/${at}b.png`], 'images_'),
  ],
  [
    'clips in a list',
    (count) => ({ status: 'succeeded', videos: times(count, (at) => ({ url: `https://c.example/${at}.mp4` })) }),
  ],
  [
    'parameters of an address',
    (count) => ({
      video_url: `https://c.example/a.mp4?${times(count, (at) => `x-amz-${at}=1`)
        .join('&')
        .slice(0, 16_000)}`,
    }),
  ],
  ['tasks', (count) => times(count, (at) => ({ id: `t${at}`, status: 'running' }))],
  ['pieces of a chat', (count) => times(count, () => ({ choices: [{ delta: { content: 'x ' } }] }))],
  ['errors', (count) => ({ errors: times(count, () => ({ message: 'bad', reason: 'worse_yet' })) })],
  [
    'calls of tools',
    (count) => ({
      choices: [
        {
          message: {
            tool_calls: times(count, (at) => ({ id: `c${at}`, function: { name: 'f', arguments: '{"a":1}' } })),
          },
        },
      ],
    }),
  ],
  ['parts of reasoning', (count) => ({ choices: [{ message: { content: '<think>a</think>'.repeat(count) } }] })],
  [
    'tags that are spoken about',
    (count) => ({ choices: [{ message: { content: 'a <thought> <reasoning> '.repeat(count) } }] }),
  ],
  [
    'resized pictures',
    (count) => ({ status: 'SUCCESS', ...fields(count, (at) => `https://c.example/${at}.png?width=5`, 'image_url_') }),
  ],
  [
    'parts of a content',
    (count) => ({ choices: [{ message: { content: times(count, () => ({ type: 'text', text: 'a' })) } }] }),
  ],
];

function readAs(body: Json): void {
  const assembly = new ChatAssembly(() => undefined);
  assembly.push(body);
  assembly.end();
  assembly.state();
  parseVideo(body, READING);
  parseImage(body, READING);
  explicitError(body);
  serviceErrorOf(body);
  readPriceList(body, () => undefined);
}

test.each(SHAPES)('twice as many %s are twice the work, and no more', async (_name, shape) => {
  const work = (count: number): Promise<number> => {
    const text = JSON.stringify(shape(count));
    return countWork(() => readAs(parseJson(text) ?? null));
  };
  await work(100);
  const [once, twice] = [await work(500), await work(1_000)];
  expect(twice / once).toBeLessThan(2.3);
});

test.each([
  ['pieces of arguments that look whole', () => ({ index: 0, function: { name: '', arguments: '{"a":"}' } })],
  ['whole arguments again', () => ({ index: 0, function: { name: 'f', arguments: '{}' } })],
  ['closing brackets', () => ({ index: 0, function: { name: '', arguments: '}' } })],
  ['calls', (at: number) => ({ index: at, id: `c${at}`, function: { name: 'f', arguments: '{}' } })],
  ['calls of one id', (at: number) => ({ index: at, id: 'a', function: { name: 'f', arguments: `{"at":${at}}` } })],
  [
    'repeats of two calls of one id',
    (at: number) => ({ id: 'a', function: { name: 'f', arguments: `{"x": ${at % 2}}` } }),
  ],
  ['calls of one index', (at: number) => ({ index: 0, id: `c${at}`, function: { name: 'f', arguments: '{}' } })],
])('twice as many %s in a stream are twice the work, and no more', async (_name, call: (at: number) => object) => {
  const work = (count: number): Promise<number> => {
    const pieces = times(
      count,
      (at) => `data: ${JSON.stringify({ choices: [{ delta: { tool_calls: [call(at)] } }] })}\n\n`,
    );
    return countWork(() => {
      const reader = chatReader(() => undefined);
      for (const piece of pieces) reader.feed(Buffer.from(piece));
      reader.end();
    });
  };
  await work(100);
  const [once, twice] = [await work(1_000), await work(2_000)];
  expect(twice / once).toBeLessThan(2.3);
});

test.each<[string, (length: number) => Json]>([
  ['a name at the outside', (length) => ({ status: 'processing', ['k_'.repeat(length / 2)]: 1 })],
  ['a name of data', (length) => ({ data: { ['a1B '.repeat(length / 4)]: 'https://c.example/a.mp4' } })],
  ['a name among pictures', (length) => ({ status: 'SUCCESS', images: [{ ['1a'.repeat(length / 2)]: 'x' }] })],
])('%s, however long, is not looked through for each field that is asked for', async (_name, shape) => {
  const work = (length: number): Promise<number> => {
    const body = shape(length);
    return countWork(() => readAs(body));
  };
  await work(1_000);
  const [once, twice] = [await work(40_000), await work(80_000)];
  expect((twice - once) / 40_000).toBeLessThan(3);
});

test.each([
  ['one', (text: string) => ({ data: text })],
  ['two', (text: string) => ({ output: text, result: `${text} ` })],
  ['one in another', (text: string) => ({ data: JSON.stringify({ response: text }) })],
])('of answers inside an answer, %s, each is parsed once a turn', async (_name, shape) => {
  const work = (length: number): Promise<number> => {
    const body = shape(JSON.stringify({ x: 'A'.repeat(length), status: 'processing' }));
    return countWork(() => {
      parseVideo(body, READING);
      parseImage(body, READING);
    });
  };
  await work(1_000);
  const length = 2_000_000;
  expect(((await work(2 * length)) - (await work(length))) / length).toBeLessThan(9);
});

test('text with more values, or deeper, than any answer is not parsed at all', () => {
  const many = JSON.stringify(times(120_000, (at) => at));
  expect(parseJson(many)).toBeUndefined();
  expect(parseJson(JSON.stringify(times(90_000, (at) => at)), 100_000)).toHaveLength(90_000);
  expect(parseJson('['.repeat(200_000))).toBeUndefined();
  expect(parseJson(`${'['.repeat(70)}${']'.repeat(70)}`.padEnd(2_000))).toBeUndefined();
  expect(parseJson(`{"a":"${'\\"[,{'.repeat(1_000)}"}`)).toEqual({ a: '"[,{'.repeat(1_000) });
  expect(parseJson(`{"a":"${'\\\\'.repeat(1_000)}"}`)).toEqual({ a: '\\'.repeat(1_000) });
  expect(parseJson(`[1] ${' '.repeat(2_000)}[2]`)).toBeUndefined();
});

const FILE = 'A+/9'.repeat(300_000);

test('a file in base64 within an answer is not given to the parser of JSON', () => {
  const parse = vi.spyOn(JSON, 'parse');
  const read = parseJson(`{"id":12345678901234567890,"data":[{"b64_json":"${FILE}","n":1},"${FILE}"]}`);
  const lengths = parse.mock.calls.map(([text]) => text.length);
  parse.mockRestore();
  expect(read).toEqual({ id: '12345678901234567890', data: [{ b64_json: FILE, n: 1 }, FILE] });
  expect(Math.max(...lengths)).toBeLessThan(1_000);
});

test.each<[string, string, Json | undefined]>([
  ['with an escape', `{"a":"${FILE}\\n"}`, { a: `${FILE}\n` }],
  ['as the name of a field', `{"${FILE}" : 1}`, { [FILE]: 1 }],
  ['with a line break', `{"a":"${FILE}\n"}`, undefined],
  ['beside a text like the mark of another', `["${FILE}","\\u00000"]`, [FILE, '\u00000']],
  ['alone', `"${FILE}"`, FILE],
])('a long text %s is read as any other', (_name, text, value) => {
  expect(parseJson(text)).toEqual(value);
});

test('of an answer with too many values the outer ones are read', () => {
  const answer = JSON.stringify({ log: fields(30_000, (at) => ({ at })), id: 'task-7', status: 'processing' });
  expect(parseVideo(parseJson(answer) ?? null, READING)).toMatchObject({
    id: 'task-7',
    taskStatus: { state: 'running' },
  });
  expect(valuesIn(truncateJson(JSON.parse(answer), 20_000), 90_000)).toBeLessThanOrEqual(20_000);
  expect(truncateJson([{ a: [1, 2] }, { b: 3 }, { c: 4 }], 5)).toEqual([{ a: [1, 2] }, {}]);
  expect(truncateJson(JSON.parse('{"__proto__":{"x":1}}'), 9)).toEqual(JSON.parse('{"__proto__":{"x":1}}'));
});

test('a field of a large object is found under any spelling, the first of several', () => {
  const node: JsonObject = { ...fields(100, (at) => at), task_id: 'a', TaskId: 'b' };
  expect([field(node, 'taskId'), field(node, 'field7'), field(node, 'nothing')]).toEqual(['a', 7, undefined]);
});

test('of two hundred thousand documents the first and the last are kept', () => {
  const keeper = createDocumentKeeper();
  keeper.add({ id: 'task-7', status: 'queued' });
  for (let at = 0; at < 200_000; at += 1) keeper.add({ progress: at % 100 });
  keeper.add({ status: 'succeeded', video_url: 'https://c.example/a.mp4' });
  const documents = keeper.latestFirst();
  expect(documents.length).toBeLessThan(40_000);
  expect(parseVideoDocuments(documents, { text: '' }, READING)).toMatchObject({
    id: 'task-7',
    taskStatus: { state: 'succeeded' },
    outputs: [{ uri: 'https://c.example/a.mp4' }],
  });
  expect(firstDocuments(times(100_000, () => ({ a: 1 }))).length).toBeLessThan(12_000);
  expect(firstDocuments([fields(15_000, (at) => at), { a: 1 }])).toHaveLength(1);
});

test('an endless stream is kept up to a bound, and its deltas equal the kept text', () => {
  let shown = 0;
  const reader = chatReader(({ text }) => {
    shown += text.length;
  });
  const piece = Buffer.from(`data: ${JSON.stringify({ choices: [{ delta: { content: 'x'.repeat(100_000) } }] })}\n\n`);
  for (let at = 0; at < 50; at += 1) reader.feed(piece);
  const { result, tooLong } = reader.end();
  expect([result.text.length, shown, tooLong]).toEqual([MAX_ANSWER_LENGTH, MAX_ANSWER_LENGTH, true]);
});

test.each([
  ['each in an event of its own', 1],
  ['many in one event', 100],
])('of twenty thousand calls of tools, %s, the first are kept, and it is said to be cut', (_name, together) => {
  const reader = chatReader(() => undefined);
  for (let at = 0; at < 20 * MAX_TOOL_CALLS; at += together) {
    const calls = times(together, (n) => ({ index: at + n, function: { name: 'f', arguments: '{}' } }));
    reader.feed(Buffer.from(`data: ${JSON.stringify({ choices: [{ delta: { tool_calls: calls } }] })}\n\n`));
  }
  const { result, tooLong } = reader.end();
  expect([result.toolCalls?.length, tooLong]).toEqual([MAX_TOOL_CALLS, true]);
});

test('of twenty thousand calls with one id the first are kept, each with an id of its own', () => {
  const reader = chatReader(() => undefined);
  for (let at = 0; at < 20 * MAX_TOOL_CALLS; at += 1) {
    const call = { index: at, id: 'call_1', function: { name: 'f', arguments: `{"at":${at}}` } };
    reader.feed(Buffer.from(`data: ${JSON.stringify({ choices: [{ delta: { tool_calls: [call] } }] })}\n\n`));
  }
  const { result, tooLong } = reader.end();
  expect([new Set(result.toolCalls?.map(({ id }) => id)).size, tooLong]).toEqual([MAX_TOOL_CALLS, true]);
});

test('one event of two hundred thousand documents is read up to a bound, and marked as truncated', () => {
  const piece = `data: ${JSON.stringify({ choices: [{ delta: { content: 'x' } }] })}\n`;
  const reader = chatReader(() => undefined);
  reader.feed(Buffer.from(`${piece.repeat(200_000)}\n`));
  const { result, tooLong } = reader.end();
  expect([result.text.length, tooLong]).toEqual([20_000, true]);
});

test.each([
  ['a name', 'see operations/abc-1', 'operations/abc-1'],
  ['a whole name', 'x (projects/p/locations/l/operations/abc.1), ok', 'projects/p/locations/l/operations/abc.1'],
  ['a name after a scheme', 'https://h/v1/models/veo/operations/9:', 'models/veo/operations/9'],
  ['an id that is told', 'Your task id is: `cgt-2024-ab.`', 'cgt-2024-ab'],
  ['an id with a digit behind one without', 'job-queue then task_9f3', 'task_9f3'],
  ['nothing but an id', '"abcdef-12345"', 'abcdef-12345'],
  ['no id', 'job-queue', undefined],
])('%s is read from a text', (_name, text, id) => {
  expect(taskIdIn(text)).toBe(id);
});

test('a message of nothing but quotes is compared with our texts a fixed number of times', async () => {
  const sent = times(200, (at) => `prompt ${at} `.repeat(50));
  const work = (count: number): Promise<number> => countWork(() => withoutEcho('“abc” '.repeat(count), sent));
  expect(await growthOf(work, 300)).toBeLessThan(2.2);
});

test('of a very long text its beginning and its end are read, and the bytes of a clip anywhere', () => {
  const filler = 'no news here. '.repeat(200_000);
  const read = parseVideo(`task id: cgt-2024-ab ${filler} https://c.example/a.mp4`, READING);
  expect(read).toMatchObject({ id: 'cgt-2024-ab', outputs: [{ uri: 'https://c.example/a.mp4' }] });
  const clip = `data:video/mp4;base64,${'AAAA'.repeat(300_000)}`;
  expect(parseVideo(`${filler.slice(0, 300_000)} ${clip} done`, READING).outputs).toMatchObject([{ uri: clip }]);
});

const SUCCESS = { id: 'task-1', status: 'SUCCESS' };
const clips = times(2_000, (at) => `https://c.example/${at}.mp4`);
test.each<[string, Json]>([
  ['a list', { ...SUCCESS, videos: clips }],
  ['a list of objects', { ...SUCCESS, data: clips.map((url) => ({ url })) }],
  ['a list of any name', { ...SUCCESS, fail_reason: clips }],
  ['a text', clips.join('\n')],
])('of thousands of results in %s the first count that any service could have made', (_name, answer) => {
  expect(parseVideo(answer, READING).outputs.map(({ uri }) => uri)).toEqual(clips.slice(0, 200));
});

test.each<[string, (pictures: Json[]) => Json]>([
  ['a list', (images) => ({ ...SUCCESS, images })],
  ['a list of any name', (found) => ({ ...SUCCESS, result_list: found.map((url) => ({ url })) })],
  ['nothing else', (list) => list],
])('of thousands of pictures in %s the first count that any service could have made', (_name, answer) => {
  const pictures = times(2_000, (at) => `https://c.example/${at}.png`);
  const found = parseImage(answer(pictures), READING).outputs;
  expect(found.map(({ uri }) => uri)).toEqual(pictures.slice(0, 200));
});
