import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countCopies, countWork } from '../../../../../test/helpers/countWork.ts';
import { casesOf } from '../../../../../test/helpers/gateway/cases.ts';
import { chatReader } from '../../../../../test/helpers/gateway/chatReader.ts';
import type { Json } from '../json/parse.ts';
import type { ChatDelta } from '../types.ts';
import type { ChatState } from './assembly.ts';

interface Read extends Partial<ChatState> {
  deltas: Record<ChatDelta['channel'], string>;
}

function read(pieces: readonly Uint8Array[]): Read {
  const deltas = { text: '', reasoning: '' };
  const context = { base: 'https://gateway.example', isEcho: () => false };
  const reader = chatReader(
    ({ channel, text }) => {
      deltas[channel] += text;
    },
    { context, onPicture: () => undefined },
  );
  for (const piece of pieces) reader.feed(piece);
  return { ...structuredClone(reader.end()), deltas };
}

function cutAt(bytes: Uint8Array, cuts: readonly number[]): Uint8Array[] {
  const bounds = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((one, other) => one - other), bytes.length];
  return bounds.slice(1).map((end, at) => bytes.subarray(bounds[at], end));
}

const delta = (fields: Json): Json => ({
  id: 'c-1',
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta: fields }],
});

const callPiece = (text: string): Json => ({
  tool_calls: [{ index: 0, id: 'a', function: { name: 'f', arguments: text } }],
});
const dataOf = (fields: Json): string => `data: ${JSON.stringify(delta(fields))}\n\n`;

const STREAMS = ['chat-streams', 'chat-calls', 'chat-errors']
  .flatMap(casesOf)
  .filter(({ body }) => typeof body === 'string' && /^\s*(data|event|id|:)/.test(body))
  .map(({ name, body }) => [name, Buffer.from(String(body))] as const);

test.each(STREAMS)('%s: any split gives the same answer', (_name, bytes) => {
  const whole = read([bytes]);
  expect(whole.deltas).toEqual({ text: whole.result?.text, reasoning: whole.result?.reasoning ?? '' });
  expect(read(Array.from(bytes, (byte) => Uint8Array.of(byte)))).toEqual(whole);
  fc.assert(
    fc.property(fc.array(fc.nat(100_000), { maxLength: 12 }), (cuts) => {
      expect(read(cutAt(bytes, cuts))).toEqual(whole);
    }),
    { numRuns: 30 },
  );
});

const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  fc.constantFrom('<think>', '</think>', '\n', '\\', '"', '\u2028', '{"content":"x"}', 'data: [DONE]', '\u0085', '<'),
);
const oneText = fc.oneof(
  text.map((content): Json => delta({ content })),
  text.map((content): Json => delta({ content })),
  text.map((reasoning): Json => delta({ content: null, reasoning })),
  text.map(
    (content): Json => ({ choices: [{ delta: { role: 'assistant', content, refusal: null } }], content: 'beside' }),
  ),
  text.map((content): Json => ({ choices: [{ delta: { content } }, { index: 1, delta: { content: 'other' } }] })),
);
const beside = fc.constantFrom<Json>(
  { choices: [], usage: { prompt_tokens: 1, completion_tokens: 2 } },
  delta({ tool_calls: [{ index: 0, id: 'a', function: { name: 'f', arguments: '{"content":"x"}' } }] }),
);
const documents = fc.array(
  fc.oneof(
    oneText,
    oneText,
    text.map((content): Json => delta({ content })),
    beside,
  ),
  {
    maxLength: 14,
  },
);
const spelled = fc.constantFrom(
  (json: Json) => JSON.stringify(json, null, 1).replaceAll('\n', '\ndata: '),
  (json: Json) =>
    JSON.stringify(json).replace(
      /[\u0080-\uffff]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
    ),
);

test('the formatting of the documents does not change the result', () => {
  fc.assert(
    fc.property(documents, spelled, (list, spell) => {
      const bytesOf = (write: (json: Json) => string): Buffer =>
        Buffer.from(list.map((json) => `data: ${write(json)}\n\n`).join(''));
      expect(read([bytesOf(spell)])).toEqual(read([bytesOf((json) => JSON.stringify(json))]));
    }),
    { numRuns: 300 },
  );
});

test('think tags split at every place, and at every two', () => {
  const answer =
    '<think>\nfirst\n</think>\n<think>then </thin\n</think>\n\nHello <think>\nworld\n<think>again</think>\n\n.';
  const parted = (...cuts: number[]): object => {
    const bounds = [0, ...cuts, answer.length];
    const pieces = bounds.slice(1).map((end, at) => answer.slice(bounds[at], end));
    const bytes = Buffer.from(pieces.map((content) => `data: ${JSON.stringify(delta({ content }))}\n\n`).join(''));
    return read([bytes]).result ?? {};
  };
  const whole = parted();
  expect(whole).toMatchObject({
    text: 'Hello <think>\nworld\n.',
    reasoning: 'first\nthen </thin\nagain',
  });
  for (let one = 0; one <= answer.length; one += 1) {
    for (let other = one; other <= answer.length; other += 1) expect(parted(one, other)).toEqual(whole);
  }
});

test('any bytes are a value', () => {
  const stream = documents.map((list) => Buffer.from(list.map((json) => `data: ${JSON.stringify(json)}\n\n`).join('')));
  const damaged = fc
    .tuple(stream, fc.array(fc.tuple(fc.nat(5_000), fc.nat(255)), { maxLength: 8 }))
    .map(([bytes, marks]) => {
      for (const [at, byte] of marks) if (bytes.length > 0) bytes[at % bytes.length] = byte;
      return bytes;
    });
  fc.assert(
    fc.property(
      fc.oneof(fc.uint8Array({ maxLength: 300 }), damaged),
      fc.array(fc.nat(5_000), { maxLength: 6 }),
      (bytes, cuts) => {
        const { result, deltas } = read(cutAt(bytes, cuts));
        expect(deltas).toEqual({ text: result?.text, reasoning: result?.reasoning ?? '' });
      },
    ),
    { numRuns: 1_000 },
  );
});

test.each([
  ['lines that are no fields', 'x\n'],
  ['empty lines', '\n'],
  ['carriage returns', '\r'],
  ['fields without a value', 'data\n'],
  ['events of nothing', 'data:\n\n'],
  ['one long line', 'data: x'],
  ['retries', 'retry: x\n'],
  ['broken documents', 'data: {\n'],
  ['broken events', 'data: {\n\n'],
  ['pieces of a call', dataOf(callPiece('a'))],
  ['beginnings of pictures', dataOf({ content: '![a](https://gateway.example/' })],
  // The spaces follow a whole object, and the second object asks whether the first one is whole.
  ['objects again behind the end of a call', `${dataOf(callPiece(' '.repeat(200)))}${dataOf(callPiece('{}'))}`],
])('%s by the hundred thousand: twice as many are twice the work, and no more', async (_name, unit) => {
  const work = (length: number): Promise<number> => {
    const bytes = Buffer.from(unit.repeat(Math.ceil(length / unit.length)));
    const cuts = Array.from({ length: length / 1_250 }, (_, at) => at * 1_250);
    return countWork(() => read(cutAt(bytes, cuts)));
  };
  const once = await work(100_000);
  const twice = await work(200_000);
  expect(twice / once).toBeLessThan(2.2);
});

test.each([
  ['of a call', callPiece('a')],
  ['of a name', { tool_calls: [{ index: 0, function: { name: 'a' } }] }],
  ['of text', { content: 'a' }],
  ['of text that may be a tag', { content: '<' }],
  ['of reasoning', { reasoning: 'a' }],
])('pieces %s copy nothing of those before them', async (_name, piece) => {
  const copies = (count: number): Promise<number> => {
    const events = [callPiece('{"a":"'), ...Array.from({ length: count }, () => piece)].map((each) =>
      Buffer.from(dataOf(each)),
    );
    return countCopies(() => read(events));
  };
  expect((await copies(2_000)) / (await copies(1_000))).toBeLessThan(2.2);
});
