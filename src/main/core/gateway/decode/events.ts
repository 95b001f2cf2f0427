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
  const parser = createParser({
    maxBufferSize: limit,
    onEvent: ({ event, data }) => onEvent({ name: event, data, tail }),
    onError: (error) => {
      broken ||= error.type === 'max-buffer-size-exceeded';
    },
  });
  const feedText = (text: string): boolean => {
    if (!broken && text !== '') parser.feed(text);
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
