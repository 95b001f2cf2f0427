import { createParser } from 'eventsource-parser';

export interface ServerEvent {
  name?: string;
  data: string;
  /** It came without its closing blank line, so it counts only if it can be read. */
  tail: boolean;
}

export interface EventReader {
  /** `false` once a single event is larger than the limit: nothing more can be read. */
  feed(bytes: Uint8Array): boolean;
  end(): void;
}

/** Server-sent events from bytes in whatever pieces they arrive. `limit` bounds one event, in characters. */
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
      // It throws on the first call after an event that was too long.
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
