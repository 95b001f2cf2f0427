import fc from 'fast-check';
import { expect, test } from 'vitest';
import { documentsIn } from '../exchange/documents.ts';
import { createEventReader } from '../http/sse.ts';
import type { Json } from '../json/parse.ts';
import type { ChatDelta } from '../types.ts';
import { type ChatState, createChatAssembly } from './assembly.ts';

function assemble(pieces: Json[]): { state: ChatState; deltas: ChatDelta[] } {
  const deltas: ChatDelta[] = [];
  const assembly = createChatAssembly((delta) => deltas.push(delta));
  for (const piece of pieces) assembly.push(piece);
  assembly.end();
  return { state: assembly.state(), deltas };
}
const delta = (fields: Json, more: { [name: string]: Json } = {}): Json => ({
  choices: [{ index: 0, delta: fields, ...more }],
});

test.each<[string, Json[], object]>([
  [
    'content as a list of parts',
    [
      {
        choices: [
          {
            message: {
              content: [
                { type: 'text', text: 'Hel' },
                { type: 'output_text', text: 'lo' },
              ],
            },
          },
        ],
      },
    ],
    { text: 'Hello' },
  ],
  [
    'thinking as a part',
    [
      delta({
        content: [
          { type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] },
          { type: 'text', text: 'Hi' },
        ],
      }),
    ],
    { text: 'Hi', reasoning: 'hm' },
  ],
  [
    'reasoning_content',
    [delta({ reasoning_content: 'hm' }), delta({ content: 'Hi' })],
    { text: 'Hi', reasoning: 'hm' },
  ],
  [
    'reasoning under two names at once',
    [delta({ reasoning_content: 'hm', reasoning: 'hm' }), delta({ content: 'Hi' })],
    { reasoning: 'hm' },
  ],
  ['think tags in one piece', [delta({ content: '<think>hm</think>\n\nHi' })], { text: 'Hi', reasoning: 'hm' }],
  [
    'think tags split',
    ['<th', 'ink>h', 'm</', 'think', '>\n', '\nHi'].map((content) => delta({ content })),
    { text: 'Hi', reasoning: 'hm' },
  ],
  [
    'think tags in a whole answer',
    [{ choices: [{ message: { content: '<think>\nhm\n</think>Hi' }, finish_reason: 'stop' }] }],
    { text: 'Hi', reasoning: 'hm\n' },
  ],
  ['a tag that is spoken about', [delta({ content: 'The `<think>` tag' })], { text: 'The `<think>` tag' }],
  ['an unclosed tag', [delta({ content: '<think>hm' })], { text: '', reasoning: 'hm' }],
  [
    'null everywhere',
    [
      { choices: [{ index: 0, delta: null, finish_reason: null }] },
      delta({ content: null }),
      delta({ content: 'Hi' }, { finish_reason: '' }),
    ],
    { text: 'Hi', finishReason: '' },
  ],
  [
    'annotation frames',
    [
      { choices: [{ index: 0, content_filter_results: {} }] },
      { choices: [], prompt_filter_results: [] },
      delta({ content: 'Hi' }),
    ],
    { text: 'Hi' },
  ],
  [
    'usage in every chunk',
    [
      delta({ content: 'H' }),
      { choices: [], usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } },
      { choices: [], usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 } },
    ],
    { usage: { promptTokens: 1, completionTokens: 2, totalTokens: 3 } },
  ],
  [
    'zeros at the end, as LocalAI sends them (issue 9927)',
    [
      delta({ content: 'Hi' }),
      { choices: [], usage: { prompt_tokens: 5, completion_tokens: 3, total_tokens: 8 } },
      { choices: [], usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 } },
    ],
    { usage: { promptTokens: 5, completionTokens: 3, totalTokens: 8 } },
  ],
  [
    'what Grok has thought, in the total only',
    [
      {
        choices: [{ index: 0, message: { content: 'Hi' }, finish_reason: 'stop' }],
        usage: {
          prompt_tokens: 32,
          completion_tokens: 9,
          total_tokens: 135,
          completion_tokens_details: { reasoning_tokens: 94 },
        },
      },
    ],
    { usage: { promptTokens: 32, completionTokens: 103, totalTokens: 135 } },
  ],
  [
    'what Gemini has thought, without details (Portkey-AI/gateway#1458)',
    [
      {
        choices: [{ index: 0, message: { content: 'Hi' }, finish_reason: 'stop' }],
        usage: { prompt_tokens: 8, completion_tokens: 11, total_tokens: 613 },
      },
    ],
    { usage: { promptTokens: 8, completionTokens: 605, totalTokens: 613 } },
  ],
  [
    'a cached prompt in the total only (Bedrock Converse)',
    [
      {
        choices: [{ index: 0, message: { content: 'Hi' }, finish_reason: 'stop' }],
        usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 5015, cache_read_input_tokens: 5000 },
      },
    ],
    { usage: { promptTokens: 5010, completionTokens: 5, totalTokens: 5015 } },
  ],
  [
    'what was thought in the total only, beside a cached prompt that is counted in the prompt',
    [
      {
        choices: [{ index: 0, message: { content: 'Hi' }, finish_reason: 'stop' }],
        usage: { prompt_tokens: 1000, completion_tokens: 5, total_tokens: 1055, cache_read_input_tokens: 900 },
      },
    ],
    { usage: { promptTokens: 1000, completionTokens: 5, totalTokens: 1055, cachedTokens: 900 } },
  ],
  [
    'thinking that is counted already',
    [
      {
        choices: [{ index: 0, message: { content: 'Hi' }, finish_reason: 'stop' }],
        usage: {
          prompt_tokens: 21,
          completion_tokens: 60,
          total_tokens: 81,
          completion_tokens_details: { reasoning_tokens: 60 },
        },
      },
    ],
    { usage: { promptTokens: 21, completionTokens: 60, totalTokens: 81 } },
  ],
  [
    'usage under other names',
    [{ choices: [], usage: { input_tokens: 4, output_tokens: 6 } }],
    { usage: { promptTokens: 4, completionTokens: 6, totalTokens: 10 } },
  ],
  [
    'a last chunk that repeats the message',
    [delta({ content: 'Hi' }), { choices: [{ index: 0, message: { content: 'Hi' }, finish_reason: 'stop' }] }],
    { text: 'Hi', finishReason: 'stop' },
  ],
  [
    'a wrapper',
    [{ code: 0, data: { id: 'c', choices: [{ message: { content: 'Hi' }, finish_reason: 'stop' }] } }],
    { text: 'Hi' },
  ],
  [
    'a refusal',
    [{ choices: [{ message: { content: null, refusal: 'No.' }, finish_reason: 'stop' }] }],
    { text: 'No.' },
  ],
  [
    'other choices',
    [
      {
        choices: [
          { index: 1, delta: { content: 'B' } },
          { index: 0, delta: { content: 'A' } },
        ],
      },
    ],
    { text: 'A' },
  ],
])('%s', (_name, pieces, expected) => {
  const { state, deltas } = assemble(pieces);
  expect(state.result).toMatchObject(expected);
  const joined = (channel: ChatDelta['channel']) =>
    deltas
      .filter((entry) => entry.channel === channel)
      .map((entry) => entry.text)
      .join('');
  expect(joined('text')).toBe(state.result.text);
  expect(joined('reasoning')).toBe(state.result.reasoning ?? '');
});

const calls = (list: Json): Json => delta({ tool_calls: list });
test.each<[string, Json[], object[]]>([
  [
    'in pieces',
    [
      calls([{ index: 0, id: 'a', function: { name: 'f', arguments: '' } }]),
      calls([{ index: 0, function: { arguments: '{"x"' } }]),
      calls([{ index: 0, function: { arguments: ':1}' } }]),
    ],
    [{ id: 'a', name: 'f', arguments: '{"x":1}' }],
  ],
  [
    'from index 1',
    [calls([{ index: 1, id: 'a', function: { name: 'f', arguments: '{}' } }])],
    [{ id: 'a', name: 'f', arguments: '{}' }],
  ],
  [
    'without index',
    [
      calls([{ id: 'a', function: { name: 'f', arguments: '{"x":' } }]),
      calls([{ function: { arguments: '1}' } }]),
      calls([{ id: 'b', function: { name: 'g', arguments: '{}' } }]),
    ],
    [
      { name: 'f', arguments: '{"x":1}' },
      { id: 'b', name: 'g' },
    ],
  ],
  [
    'without id',
    [
      calls([{ index: 0, function: { name: 'f', arguments: '{}' } }]),
      calls([{ index: 1, function: { name: 'g', arguments: '{}' } }]),
    ],
    [
      { id: 'call_1', name: 'f' },
      { id: 'call_2', name: 'g' },
    ],
  ],
  [
    'two under one index',
    [
      calls([{ index: 0, id: 'a', function: { name: 'f', arguments: '{}' } }]),
      calls([{ index: 0, id: 'b', function: { name: 'f', arguments: '{}' } }]),
    ],
    [{ id: 'a' }, { id: 'b' }],
  ],
  [
    'with an object as arguments',
    [
      {
        choices: [
          {
            message: { tool_calls: [{ id: 'a', function: { name: 'f', arguments: { x: 1 } } }] },
            finish_reason: 'stop',
          },
        ],
      },
    ],
    [{ arguments: '{"x":1}' }],
  ],
  [
    'in the old form',
    [delta({ function_call: { name: 'f', arguments: '{"x"' } }), delta({ function_call: { arguments: ':1}' } })],
    [{ name: 'f', arguments: '{"x":1}' }],
  ],
])('tool calls %s', (_name, pieces, expected) => {
  expect(assemble(pieces).state.result.toolCalls).toMatchObject(expected);
});

test.each<[string, Json, string]>([
  ['finish_reason error', { choices: [{ delta: {}, finish_reason: 'error', error: { message: 'lost' } }] }, 'lost'],
  ['an error object', { error: { message: 'lost' } }, 'lost'],
  ['object: error', { object: 'error', message: 'lost' }, 'lost'],
])('an error inside a stream: %s', (_name, piece, message) => {
  expect(assemble([piece]).state.serviceError?.message).toBe(message);
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
