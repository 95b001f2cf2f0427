import { BrokenBody, type Failure } from '../transport/failure.ts';
import type { Response } from '../transport/transport.ts';
import { createEventReader, type ServerEvent } from './events.ts';
import { type Json, parseJson } from './json.ts';

/** A whole answer, read to its end: what it turned out to be, by its first character and not by what it calls itself. */
export interface Answer {
  status: number;
  headers: Readonly<Record<string, string>>;
  form: 'json' | 'text' | 'page' | 'events' | 'empty';
  /** Of `json`. */
  json?: Json;
  /** The body as text; empty for `events`. */
  text: string;
  /** Set where the answer broke off or was too long; what came before is kept. */
  cut?: Failure;
}

/**
 * JSON that has closed its outermost bracket is whole, whatever else was promised: the id of an accepted order is not given up for a
 * connection that broke behind it. A bare number or text may lack its end.
 */
export const isWhole = ({ form, json }: Answer): boolean =>
  form === 'json' && typeof json === 'object' && json !== null;

export interface ReadOptions {
  /** Most characters of a body, and of a single event. */
  limit: number;
  /** Given where the answer may be an event stream; anything that is neither JSON nor a page is then read as one. */
  onEvent?: (event: ServerEvent, control: StreamControl) => void;
}

export interface StreamControl {
  /** Nothing more is wanted. */
  stop(): void;
  allowIdle(ms: number): void;
}

export async function readAnswer(response: Response, options: ReadOptions): Promise<Answer> {
  const reader = createReader(response, options);
  let cut: Failure | undefined;
  try {
    for await (const bytes of response.body) {
      if (!reader.feed(bytes)) break;
    }
  } catch (error) {
    cut =
      error instanceof BrokenBody
        ? error.failure
        : { kind: 'network', message: 'The answer could not be read.', sent: true };
  }
  response.discard();
  return reader.end(cut);
}

const MOST_PLAIN_TEXT = 65_536;

function createReader(response: Response, options: ReadOptions) {
  const decoder = new TextDecoder();
  const pieces: string[] = [];
  let length = 0;
  let tooLong = false;
  let stopped = false;
  const control: StreamControl = {
    stop: () => {
      stopped = true;
    },
    allowIdle: (ms) => response.allowIdle(ms),
  };
  const { onEvent } = options;
  let heard = false;
  const events =
    onEvent &&
    createEventReader(options.limit, (event) => {
      heard = true;
      if (!stopped) onEvent(event, control);
    });
  const start = { held: [] as Uint8Array[], streaming: undefined as boolean | undefined };

  const keep = (text: string): boolean => {
    pieces.push(text);
    length += text.length;
    tooLong ||= length > options.limit;
    return !tooLong;
  };
  const feed = (bytes: Uint8Array): boolean => {
    if (!events) return keep(decoder.decode(bytes, { stream: true }));
    if (start.streaming === undefined) {
      start.held.push(bytes);
      const first = firstCharacter(start.held);
      if (first === undefined) return start.held.length < 10_000;
      start.streaming = !'{[<'.includes(first);
      return start.held.every(feed);
    }
    // Until an event has come, this may still be plain text.
    if (!start.streaming || (!heard && length < MOST_PLAIN_TEXT)) keep(decoder.decode(bytes, { stream: true }));
    if (!start.streaming) return !tooLong;
    tooLong = !events.feed(bytes);
    return !tooLong && !stopped;
  };
  return {
    feed,
    end(cut: Failure | undefined): Answer {
      const { status, headers } = response;
      if (events && start.streaming) events.end();
      pieces.push(decoder.decode());
      const long: Failure | undefined = tooLong
        ? { kind: 'network', message: 'The answer is too large to be read.', sent: true }
        : cut;
      return { status, headers, ...formOf(pieces.join(''), heard), ...(long ? { cut: long } : {}) };
    },
  };
}

/** Past a byte order mark and white space. */
function firstCharacter(held: readonly Uint8Array[]): string | undefined {
  return new TextDecoder()
    .decode(Buffer.concat(held), { stream: true })
    .replace(/^\uFEFF/, '')
    .trimStart()[0];
}

function formOf(text: string, heardEvents: boolean): Pick<Answer, 'form' | 'json' | 'text'> {
  if (heardEvents) return { form: 'events', text: '' };
  const trimmed = text.replace(/^\uFEFF/, '').trim();
  if (trimmed === '') return { form: 'empty', text: '' };
  if (trimmed.startsWith('<')) return { form: 'page', text: trimmed };
  // An error may come in the dress of the stream that was asked for.
  const json = parseJson(trimmed) ?? parseJson(trimmed.replace(/^(event:.*\r?\n)?data:/, '').trim());
  return json === undefined ? { form: 'text', text: trimmed } : { form: 'json', json, text: trimmed };
}
