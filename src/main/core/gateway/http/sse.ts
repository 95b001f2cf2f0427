import { createParser } from 'eventsource-parser';

export interface ServerEvent {
  name?: string;
  data: string;
  /** The event came without its closing blank line, so it counts only if it can be parsed. */
  tail: boolean;
}

/** Parses server-sent events from bytes in any pieces. `limit` bounds one event, in characters. */
export function createEventReader(limit: number, onEvent: (event: ServerEvent) => void) {
  const decoder = new TextDecoder();
  let tail = false;
  let broken = false;
  // No `onError`: the parser would build an error for every line that is no field, and a web page has many.
  const parser = createParser({
    maxBufferSize: limit,
    onEvent: ({ event, data }) => onEvent({ name: event, data, tail }),
  });
  const errorLines = createErrorLines();
  const feedText = (text: string): boolean => {
    if (broken) return false;
    parser.feed(text);
    try {
      // The parser throws on the first call after an event that was too long.
      parser.feed('');
    } catch {
      broken = true;
    }
    return !broken;
  };
  return {
    /** `false` once one event is larger than the limit: nothing more can be read. */
    feed: (bytes: Uint8Array): boolean => feedText(errorLines.rewrite(decoder.decode(bytes, { stream: true }))),
    end(): void {
      feedText(errorLines.rewrite(decoder.decode()) + errorLines.rest());
      tail = true;
      feedText('\n\n');
    },
  };
}

const ERROR_LINE = /([\r\n])error: ?(?=\{)/g;
const BEGINNING_OF_ONE = /[\r\n](?:error: ?|error|erro|err|er|e)$/;

/**
 * Makes an event of each line `error: {…}`: llama.cpp sends its errors so (`server_sent_event(sink, "error", …)`), in a field that the
 * parser does not know.
 */
function createErrorLines() {
  let before = '\n';
  /** What may be the beginning of such a line. */
  let held = '';
  return {
    rewrite(text: string): string {
      const whole = before + held + text;
      const at = whole.search(BEGINNING_OF_ONE);
      const end = at < 0 ? whole.length : at + 1;
      before = whole.charAt(end - 1);
      held = whole.slice(end);
      return whole.slice(0, end).replace(ERROR_LINE, '$1\n\nevent: error\ndata: ').slice(1);
    },
    rest: () => held,
  };
}
