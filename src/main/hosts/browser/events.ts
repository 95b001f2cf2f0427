import type { StudioEvent } from '../../../shared/events.ts';

/** A reader that is this far behind is dropped; it comes back and asks for what it needs. */
const MOST_BEHIND_BYTES = 4 * 1024 * 1024;
/** Keeps idle connections known to be alive. */
const HEARTBEAT_MS = 15_000;

export interface EventStreams {
  /**
   * A new reader's stream of server-sent events (HTML standard, 9.2); each event's JSON holds its `type`. It hears what `hears` lets
   * through; `cutOff` ends its connection.
   */
  open(cutOff: () => void, hears?: (event: StudioEvent) => boolean): Response;
  close(): void;
}

interface Reader {
  cutOff(): void;
  hears(event: StudioEvent): boolean;
}

/** Sends every event to every reader. What waits for one reader is bounded. */
export function createEventStreams(subscribe: (listener: (event: StudioEvent) => void) => () => void): EventStreams {
  const readers = new Map<ReadableStreamDefaultController<Uint8Array>, Reader>();
  const encoder = new TextEncoder();
  const send = (text: string, event?: StudioEvent) => {
    const bytes = encoder.encode(text);
    for (const [reader, { cutOff, hears }] of readers) {
      if (event && !hears(event)) continue;
      if ((reader.desiredSize ?? 0) >= bytes.byteLength) {
        reader.enqueue(bytes);
        continue;
      }
      readers.delete(reader);
      cutOff();
    }
  };
  const unsubscribe = subscribe((event) => send(`data: ${JSON.stringify(event)}\n\n`, event));
  const heartbeat = setInterval(() => send(': alive\n\n'), HEARTBEAT_MS);
  heartbeat.unref();
  return {
    open(cutOff, hears = () => true) {
      let own: ReadableStreamDefaultController<Uint8Array>;
      const body = new ReadableStream<Uint8Array>(
        {
          start(controller) {
            own = controller;
            readers.set(controller, { cutOff, hears });
            controller.enqueue(encoder.encode('retry: 1000\n\n'));
          },
          cancel: () => void readers.delete(own),
        },
        new ByteLengthQueuingStrategy({ highWaterMark: MOST_BEHIND_BYTES }),
      );
      return new Response(body, {
        headers: {
          'content-type': 'text/event-stream; charset=utf-8',
          'cache-control': 'no-store',
          'x-accel-buffering': 'no',
          'x-content-type-options': 'nosniff',
        },
      });
    },
    close() {
      unsubscribe();
      clearInterval(heartbeat);
      for (const reader of readers.keys()) reader.close();
      readers.clear();
    },
  };
}
