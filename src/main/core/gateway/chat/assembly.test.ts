import fc from 'fast-check';
import { expect, test } from 'vitest';
import { documentsIn } from '../exchange/documents.ts';
import { createEventReader } from '../http/sse.ts';
import type { Json } from '../json/parse.ts';
import type { ChatDelta } from '../types.ts';
import { createChatAssembly } from './assembly.ts';

const delta = (fields: Json, more: { [name: string]: Json } = {}): Json => ({
  choices: [{ index: 0, delta: fields, ...more }],
});

/** A complete stream through the event reader, split at these positions. */
function readStream(bytes: Uint8Array, cuts: number[]): object {
  const deltas: ChatDelta[] = [];
  const assembly = createChatAssembly((entry) => deltas.push(entry));
  const reader = createEventReader(1_000_000, (event) => {
    if (event.data === '[DONE]') assembly.done();
    else for (const document of documentsIn(event)) assembly.push(document, event.name);
  });
  let from = 0;
  for (const cut of [...cuts].sort((one, other) => one - other)) {
    reader.feed(bytes.subarray(from, cut));
    from = Math.max(from, cut);
  }
  reader.feed(bytes.subarray(from));
  reader.end();
  assembly.end();
  const { result, finished, serviceError } = assembly.state();
  return {
    result,
    finished,
    serviceError,
    text: deltas
      .filter(({ channel }) => channel === 'text')
      .map(({ text }) => text)
      .join(''),
  };
}

const piece = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }).map((content) => delta({ content })),
  fc.string({ unit: 'grapheme', maxLength: 12 }).map((text) => delta({ reasoning_content: text })),
  fc
    .constantFrom('<think>', '</think>', '\n', '<thi', 'nk>', ' <reasoning>', '</reasoning>', '<mm:think>')
    .map((content) => delta({ content })),
  fc.constant<Json>({ choices: [], usage: { prompt_tokens: 1, completion_tokens: 2 } }),
  fc.constant(delta({ tool_calls: [{ index: 0, id: 'a', function: { name: 'f', arguments: '{}' } }] })),
);
const newline = fc.constantFrom('\n', '\r\n', '\r');
const stream = fc
  .tuple(fc.array(piece, { maxLength: 8 }), newline, fc.boolean(), fc.boolean())
  .map(([pieces, end, bom, done]) => {
    const events = [
      ...pieces.map((entry) => `: hm${end}data:${JSON.stringify(entry)}${end}${end}`),
      done ? `data: [DONE]${end}${end}` : '',
    ];
    return Buffer.from((bom ? '\uFEFF' : '') + events.join(''));
  });

test('any split of a stream gives the same answer', () => {
  fc.assert(
    fc.property(stream, fc.array(fc.nat(2_000), { maxLength: 12 }), (bytes, cuts) => {
      const inside = cuts.map((cut) => (bytes.length === 0 ? 0 : cut % bytes.length));
      expect(readStream(bytes, inside)).toEqual(readStream(bytes, []));
      const { result, text } = readStream(bytes, inside) as { result: { text: string }; text: string };
      expect(text).toBe(result.text);
    }),
    { numRuns: 300 },
  );
});

test('one byte at a time gives the same answer', () => {
  const bytes = Buffer.from(
    `\uFEFF: x\r\n\r\ndata: ${JSON.stringify(delta({ content: 'Grüße, 世界 🎬' }))}\r\n\r\ndata:[DONE]\r\n\r\n`,
  );
  const every = Array.from({ length: bytes.length }, (_, at) => at);
  expect(readStream(bytes, every)).toEqual(readStream(bytes, []));
  expect(readStream(bytes, every)).toMatchObject({ text: 'Grüße, 世界 🎬' });
});

test.each(['\n', '\r\n', '\r'])('an error line of llama.cpp is read wherever a chunk ends (%j)', (end) => {
  const lines = [
    `data: ${JSON.stringify(delta({ content: 'Hel' }))}`,
    '',
    'error: {"code":500,"message":"No room."}',
    '',
    '',
  ];
  const bytes = Buffer.from(lines.join(end));
  const every = Array.from({ length: bytes.length }, (_, at) => at);
  for (const cuts of [[], every, ...every.map((cut) => [cut])])
    expect(readStream(bytes, cuts)).toMatchObject({ text: 'Hel', serviceError: { message: 'No room.' } });
});
