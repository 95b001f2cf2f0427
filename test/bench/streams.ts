import { performance } from 'node:perf_hooks';
import { createParser } from 'eventsource-parser';
import { Stream } from 'openai/core/streaming';
import { chatReader } from '../helpers/gateway/chatReader.ts';
import type { Figure } from './figures.ts';

/** Decodes one long streamed answer to its text: MB per second on the wire, each parser with its own JSON decoding. */

const BYTES = 64 * 1024 * 1024;
const READ = 64 * 1024;
const ROUNDS = 3;
const WORDS =
  'a long tracking shot over wet cobbles, neon in the puddles, the café’s door ajar 東京 “now” \\ end'.split(' ');

export async function benchStreams(): Promise<Figure[]> {
  const { pieces, text, megabytes } = aStream();
  const speed = async (read: (pieces: Uint8Array[]) => Promise<number> | number): Promise<number> => {
    let best = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const start = performance.now();
      const characters = await read(pieces);
      if (characters !== text) throw new Error(`a reader found ${characters} characters of ${text}`);
      best = Math.max(best, megabytes / ((performance.now() - start) / 1000));
    }
    return best;
  };
  const ours = await speed(readOurs);
  const openai = await speed(readWithOpenai);
  const bare = await speed(readWithParser);
  return [
    { name: 'event stream to text, ours', value: ours, unit: 'MB/s' },
    { name: 'event stream to text, the openai client', value: openai, unit: 'MB/s' },
    { name: 'event stream to text, eventsource-parser and JSON.parse', value: bare, unit: 'MB/s' },
    { name: 'ours beside the openai client', value: ours / openai, unit: '×' },
    { name: 'ours beside bare eventsource-parser', value: ours / bare, unit: '×' },
  ];
}

function aStream(): { pieces: Uint8Array[]; text: number; megabytes: number } {
  const lines: string[] = [];
  let bytes = 0;
  let text = 0;
  for (let n = 0; bytes < BYTES; n++) {
    const content = ` ${WORDS[n % WORDS.length]}`;
    text += content.length;
    const line = `data: ${JSON.stringify({
      id: 'chatcmpl-BqZ3kT9vXwYp4LmN8sRd2HjF6cGt1',
      object: 'chat.completion.chunk',
      created: 1_790_000_000,
      model: 'language-large-2026-09-01',
      system_fingerprint: 'fp_62a23a81ef',
      choices: [{ index: 0, delta: { content }, logprobs: null, finish_reason: null }],
    })}\n\n`;
    bytes += Buffer.byteLength(line);
    lines.push(line);
  }
  lines.push('data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n');
  const whole = Buffer.from(lines.join(''));
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < whole.length; at += READ) pieces.push(whole.subarray(at, at + READ));
  return { pieces, text, megabytes: whole.length / 1e6 };
}

function readOurs(pieces: Uint8Array[]): number {
  let characters = 0;
  const reader = chatReader((delta) => {
    characters += delta.text.length;
  });
  for (const piece of pieces) reader.feed(piece);
  reader.end();
  return characters;
}

interface Chunk {
  choices: { delta?: { content?: string } }[];
}

const textOf = (chunk: Chunk): number => chunk.choices[0]?.delta?.content?.length ?? 0;

async function readWithOpenai(pieces: Uint8Array[]): Promise<number> {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece);
      controller.close();
    },
  });
  let characters = 0;
  const stream = Stream.fromSSEResponse<Chunk>(new Response(body), new AbortController());
  for await (const chunk of stream) characters += textOf(chunk);
  return characters;
}

function readWithParser(pieces: Uint8Array[]): number {
  let characters = 0;
  const parser = createParser({
    onEvent: ({ data }) => {
      if (data !== '[DONE]') characters += textOf(JSON.parse(data) as Chunk);
    },
  });
  const decoder = new TextDecoder();
  for (const piece of pieces) parser.feed(decoder.decode(piece, { stream: true }));
  return characters;
}
