import { setImmediate as nextTurn } from 'node:timers/promises';
import { t } from '../../../../shared/text/texts.ts';
import { createEventReader, type ServerEvent } from '../http/body.ts';
import { BrokenBody, type Failure } from '../http/failure.ts';
import type { Response } from '../http/transport.ts';
import { field, firstOf, isObject, textOf } from '../json/fields.ts';
import { type Json, parseJson, valuesIn } from '../json/parse.ts';

/** An answer, read to its end. Its first character decides its form, not its content type. */
export interface Answer {
  status: number;
  headers: Readonly<Record<string, string>>;
  form: 'json' | 'text' | 'page' | 'events' | 'empty' | 'clip';
  /** Of `json`. */
  json?: Json;
  /** The body as text; empty for `events`, and for a `clip`, which is not read further than its first bytes. */
  text: string;
  /** The texts of a paid request, which its answer may repeat; undefined for any other request. */
  sent?: readonly string[];
  /** Set if the answer broke off or was too long; what was received before is kept. */
  truncatedBy?: Failure;
}

export interface ReadOptions {
  /** The most characters of a body, and of a single event. */
  limit: number;
  /** Set if the answer may be an event stream; anything that is neither JSON nor a page is then read as a stream. */
  onEvent?: (event: ServerEvent, control: StreamControl) => void;
  /** The most values of a JSON answer, if it may have more than an answer about a task. */
  values?: number;
}

interface StreamControl {
  /** Stops reading. */
  stop(): void;
  allowIdle(ms: number): void;
}

export async function readAnswer(response: Response, options: ReadOptions): Promise<Answer> {
  const reader = new AnswerReader(response, options);
  let cut: Failure | undefined;
  try {
    let since = 0;
    for await (const bytes of response.body) {
      if (!reader.feed(bytes)) break;
      since += bytes.length;
      // A body that has already arrived is read in one turn of the event loop, so other work gets a turn here.
      if (since < BYTES_PER_TURN) continue;
      since = 0;
      await nextTurn();
    }
  } catch (error) {
    cut =
      error instanceof BrokenBody
        ? error.failure
        : { kind: 'network', message: t`The gateway’s answer cannot be understood.`, sent: true };
  }
  response.discard();
  await reader.emitLines();
  // A long text was just put together, and is now parsed.
  await nextTurn();
  const answer = reader.end(cut);
  await nextTurn();
  return answer;
}

/** Bytes and lines are handled in portions, so that other work gets its turn on the event loop. */
const BYTES_PER_TURN = 32 * 1024;
const LINES_PER_TURN = 2_000;

const MAX_PLAIN_TEXT_LENGTH = 65_536;
/** An error or a web page is short, however long other answers may be. */
const MAX_ERROR_LENGTH = 1024 * 1024;

/** Takes the bytes of one answer: events and lines are handed on as they come, everything else is kept as a text. */
class AnswerReader {
  private readonly response: Response;
  private readonly options: ReadOptions;
  private readonly decoder = new TextDecoder();
  private readonly control: StreamControl;
  /** Undefined for an error answer, which is read as one text, whatever its form. */
  private readonly events: ReturnType<typeof createEventReader> | undefined;
  private readonly pieces: string[] = [];
  private readonly pending: Uint8Array[] = [];
  private limit: number;
  private text = '';
  private length = 0;
  /** The first byte that is not white space. */
  private begun: number | undefined;
  /** Whether the answer comes as events; undefined until that is known. */
  private streaming: boolean | undefined;
  private tooLong = false;
  private stopped = false;
  private hasEvents = false;
  /** The first bytes of an answer that is no stream. */
  private head: Uint8Array = new Uint8Array();

  constructor(response: Response, options: ReadOptions) {
    this.response = response;
    this.options = options;
    this.limit = response.status < 400 ? options.limit : Math.min(options.limit, MAX_ERROR_LENGTH);
    this.control = {
      stop: () => {
        this.stopped = true;
      },
      allowIdle: (ms) => response.allowIdle(ms),
    };
    const mayStream = options.onEvent && response.status < 300;
    this.events = mayStream ? createEventReader(options.limit, (event) => this.emit(event)) : undefined;
    this.streaming = this.events === undefined ? false : undefined;
  }

  feed(bytes: Uint8Array): boolean {
    this.begun ??= firstByte(bytes);
    if (!this.options.onEvent && this.head.length < HEAD_LENGTH)
      this.head = Buffer.concat([this.head, bytes.subarray(0, HEAD_LENGTH)]);
    if (isClip(this.head)) return false;
    if (this.begun === PAGE) this.limit = Math.min(this.limit, MAX_ERROR_LENGTH);
    if (this.streaming !== undefined) return this.take(bytes);
    if (bytes.some((byte) => !SPACE.has(byte))) this.pending.push(bytes);
    const first = firstByte(bytes);
    if (first === undefined) return true;
    this.streaming = !JSON_OR_HTML.has(first);
    return this.pending.splice(0).every((held) => this.take(held));
  }

  /** Emits the documents of an answer that has one document per line. */
  async emitLines(): Promise<void> {
    for (const bytes of this.pending.splice(0)) this.keep(this.decoder.decode(bytes, { stream: true }));
    if (this.streaming) this.events?.end();
    this.keep(this.decoder.decode());
    this.text = this.pieces.splice(0).join('');
    const lines = this.events && !this.streaming && !this.tooLong ? linesIn(this.text) : [];
    for (let at = 0; at < lines.length && !this.stopped; at += LINES_PER_TURN) {
      for (const event of lines.slice(at, at + LINES_PER_TURN)) this.emit(event);
      await nextTurn();
    }
  }

  end(cut: Failure | undefined): Answer {
    const { status, headers } = this.response;
    if (isClip(this.head)) return { status, headers, form: 'clip', text: '' };
    const long: Failure | undefined = this.tooLong
      ? { kind: 'network', message: t`The answer is too large to be read.`, sent: true }
      : cut;
    const form = formOf(this.text, this.hasEvents, this.options.values);
    return { status, headers, ...form, ...(long ? { truncatedBy: long } : {}) };
  }

  private emit(event: ServerEvent): void {
    this.hasEvents = true;
    if (!this.stopped) this.options.onEvent?.(event, this.control);
  }

  private keep(text: string): void {
    this.pieces.push(text);
    this.length += text.length;
    this.tooLong ||= this.length > this.limit;
  }

  private take(bytes: Uint8Array): boolean {
    // Until an event has come, this may still be plain text.
    if (!this.streaming || (!this.hasEvents && this.length < MAX_PLAIN_TEXT_LENGTH))
      this.keep(this.decoder.decode(bytes, { stream: true }));
    if (this.streaming && this.events) this.tooLong = !this.events.feed(bytes);
    return !this.tooLong && !this.stopped;
  }
}

/** Enough to recognize a clip. */
const HEAD_LENGTH = 16;
/** The first bytes of WebM (RFC 9559: EBML). */
const WEBM = Buffer.from([0x1a, 0x45, 0xdf, 0xa3]);

/** Whether these are the first bytes of a clip: `ftyp` after a length (ISO 14496-12), or those of WebM. */
const isClip = (head: Uint8Array): boolean =>
  Buffer.from(head.subarray(4, 8)).toString('latin1') === 'ftyp' || WEBM.equals(head.subarray(0, WEBM.length));

const SPACE = new Set([9, 10, 13, 32]);
const BYTE_ORDER_MARK = new Set([0xef, 0xbb, 0xbf]);
const PAGE = 0x3c;
const JSON_OR_HTML = new Set(Buffer.from('{[<'));

/** The first byte that is neither white space nor a byte order mark. */
function firstByte(bytes: Uint8Array): number | undefined {
  return bytes.find((byte) => !SPACE.has(byte) && !BYTE_ORDER_MARK.has(byte));
}

/** Some services stream one JSON document per line, without the form of an event stream. */
function linesIn(text: string): ServerEvent[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (lines.length < 2 || parseJson(lines[0] ?? '') === undefined) return [];
  return lines.map((data, at) => ({ data, tail: at === lines.length - 1 }));
}

function formOf(text: string, hasEvents: boolean, values?: number): Pick<Answer, 'form' | 'json' | 'text'> {
  if (hasEvents) return { form: 'events', text: '' };
  const trimmed = text.replace(/^\uFEFF/, '').trim();
  if (trimmed === '') return { form: 'empty', text: '' };
  if (trimmed.startsWith('<')) return { form: 'page', text: trimmed };
  const json = parseJson(trimmed, values) ?? jsonInEventText(trimmed);
  return json === undefined ? { form: 'text', text: trimmed } : { form: 'json', json, text: trimmed };
}

/** Fields and comments at the beginning of a text: enough for a keep-alive comment every few seconds for an hour. */
const FIELDS = /^(?:(?:event|id|retry)?:.*[\r\n]+){0,10000}/;

/** JSON in the form of an event: some services send an error as an event outside a stream, or a document after keep-alive comments. */
function jsonInEventText(text: string): Json | undefined {
  const rest = text.replace(FIELDS, '');
  if (rest.startsWith('data:')) return parseJson(rest.slice(5).trim()) ?? documentsInLines(rest)[0];
  return rest.length < text.length ? parseJson(rest.trim()) : undefined;
}

const MAX_LINES = 2_000;

/** The JSON of an answer. If it came as events or lines, the last one, which has the latest state. */
export function lastDocument(answer: Answer): Json | undefined {
  const cameAsLines = answer.form === 'text' || /^(data|event|id|retry)?:/.test(answer.text);
  if (!cameAsLines) return answer.json;
  for (const line of lastLines(answer.text)) {
    const text = line.replace(/^data:/, '').trim();
    const json = text.startsWith('{') ? parseJson(text) : undefined;
    if (isObject(json)) return json;
  }
  return answer.json;
}

/** The lines of a text from last to first, up to a bound. */
function* lastLines(text: string): Generator<string> {
  let end = text.length;
  for (let count = 0; count < MAX_LINES && end >= 0; count += 1) {
    const before = end === 0 ? -1 : text.lastIndexOf('\n', end - 1);
    yield* text
      .slice(before + 1, end)
      .split('\r')
      .reverse();
    end = before;
  }
}

const REQUEST_ID_HEADERS = (
  'x-request-id request-id x-oneapi-request-id x-requestid x-amzn-requestid x-goog-request-id apim-request-id ' +
  'x-ms-request-id x-litellm-call-id x-siliconcloud-trace-id x-tt-logid x-trace-id trace-id x-correlation-id'
).split(' ');

/** The id to quote to the service's support: from a header, the body or the message. */
export function requestIdOf(headers: Readonly<Record<string, string>>, body?: Json): string | undefined {
  const own = firstOf(REQUEST_ID_HEADERS, (name) => headers[name] || undefined);
  const error = field(body, 'error');
  const inBody =
    textOf(field(error, 'requestId')) ??
    textOf(field(body, 'requestId', 'reqId', 'traceId')) ??
    textOf(field(field(body, 'header'), 'sid'));
  const message = textOf(field(error, 'message')) ?? textOf(field(body, 'message')) ?? '';
  const inMessage = /request[ _-]?id[:=：\s]+([\w.-]{6,80})/i.exec(message)?.[1];
  return (own ?? inBody ?? inMessage ?? headers['cf-ray'])?.slice(0, 200);
}

/**
 * Whether the answer broke off or is JSON that does not close: it may hold half an id or half an address. A closed outermost bracket is
 * enough, even if the connection broke afterwards: the id of an accepted task must not be lost. A number or a text may lack its end.
 */
export const isTruncated = ({ truncatedBy, form, json, text }: Answer): boolean =>
  (truncatedBy !== undefined && (typeof json !== 'object' || json === null)) ||
  (form === 'text' && /^[{["]/.test(text));

/**
 * The JSON documents of one event. Several `data:` lines are one document, or one document each from services that forget the blank line
 * between events. Unreadable lines are left out.
 */
export function documentsIn(event: ServerEvent): Json[] {
  if (event.data === '') return [];
  const whole = parseJson(event.data);
  return whole === undefined ? documentsInLines(event.data) : [whole];
}

/** Reading stops after this many unreadable lines in a row. */
const MAX_UNREADABLE_LINES = 1_000;

/** The most documents that are read from one event: nothing else runs until an event is done. */
export const MAX_DOCUMENTS_PER_EVENT = 20_000;

/** The most lines that are looked at, empty ones included. */
const MAX_EVENT_LINES = 5 * MAX_DOCUMENTS_PER_EVENT;

/** The documents of a text with one document per line. */
function documentsInLines(text: string): Json[] {
  const found: Json[] = [];
  let unreadable = 0;
  for (const line of text.includes('\n') ? text.split('\n', MAX_EVENT_LINES) : []) {
    const json = line.replace(/^data:/, '').trimStart();
    if (!json.startsWith('{') && !json.startsWith('[')) continue;
    const document = parseJson(json);
    if (document !== undefined) found.push(document);
    unreadable = document === undefined ? unreadable + 1 : 0;
    if (unreadable > MAX_UNREADABLE_LINES || found.length >= MAX_DOCUMENTS_PER_EVENT) break;
  }
  return found;
}

const DONE = /^[ \t]*"?\[DONE\]"?[ \t\r]*$/m;

/** Whether the event marks the end of the stream. */
export function isDoneMarker({ data }: ServerEvent): boolean {
  return data.length < 16 || data.includes('\n') ? DONE.test(data) : false;
}

const MAX_VALUES = 12_000;

/** The first documents, as many as can be searched. */
export function firstDocuments(documents: readonly Json[]): Json[] {
  let left = MAX_VALUES;
  return documents.filter((document, at) => {
    if (left > 0) left -= valuesIn(document, left);
    return left > 0 || at === 0;
  });
}

/** Keeps the first and the last documents of a long stream: the first name the task, the last tell its state. */
export function createDocumentKeeper() {
  const first: Json[] = [];
  const last: { document: Json; values: number }[] = [];
  let room = MAX_VALUES / 4;
  let held = 0;
  let gone = 0;
  return {
    add(document: Json): void {
      const values = valuesIn(document, MAX_VALUES);
      if (room > 0) {
        first.push(document);
        room -= values;
        return;
      }
      last.push({ document, values });
      held += values;
      for (; held > MAX_VALUES / 2 && gone < last.length - 1; gone += 1) held -= last[gone]?.values ?? 0;
      if (gone > 1_000) {
        last.splice(0, gone);
        gone = 0;
      }
    },
    latestFirst: (): Json[] => [...first, ...last.slice(gone).map(({ document }) => document)].reverse(),
  };
}
