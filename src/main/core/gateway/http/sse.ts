import { createParser } from 'eventsource-parser';

export interface ServerEvent {
  name?: string;
  data: string;
  /** The event came without its closing blank line, so it counts only if it can be parsed. */
  tail: boolean;
}

export interface EventReader {
  /** `false` once one event is larger than the limit: nothing more can be read. */
  feed(bytes: Uint8Array): boolean;
  end(): void;
}

/** Parses server-sent events from bytes in any pieces. `limit` bounds one event, in characters. */
export function createEventReader(limit: number, onEvent: (event: ServerEvent) => void): EventReader {
  const decoder = new TextDecoder();
  let tail = false;
  let broken = false;
  // No `onError`: the parser would build an error for every line that is no field, and a web page has many.
  const parser = createParser({
    maxBufferSize: limit,
    onEvent: ({ event, data }) => onEvent({ name: event, data, tail }),
  });
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
    feed: (bytes) => feedText(decoder.decode(bytes, { stream: true })),
    end() {
      feedText(decoder.decode());
      tail = true;
      feedText('\n\n');
    },
  };
}
