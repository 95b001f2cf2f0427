import type { StudioEvent } from '../../../shared/contract/events.ts';

/** A reader this far behind is disconnected; it reconnects and reads what it needs. */
const MAX_BACKLOG_BYTES = 4 * 1024 * 1024;
/** Keeps idle connections alive. */
const HEARTBEAT_MS = 15_000;

export interface EventStreams {
  /**
   * Opens a stream of server-sent events (HTML standard, 9.2); each event's JSON has a `type`. The reader gets the events that `accepts`
   * permits; `disconnect` ends its connection.
   */
  open(disconnect: () => void, accepts?: (event: StudioEvent) => boolean): Response;
  close(): void;
}

interface Reader {
  disconnect(): void;
  accepts(event: StudioEvent): boolean;
}

/** Sends every event to every reader. The backlog of each reader is limited. */
export function createEventStreams(subscribe: (listener: (event: StudioEvent) => void) => () => void): EventStreams {
  const readers = new Map<ReadableStreamDefaultController<Uint8Array>, Reader>();
  const encoder = new TextEncoder();
  const send = (text: string, event?: StudioEvent) => {
    const bytes = encoder.encode(text);
    for (const [reader, { disconnect, accepts }] of readers) {
      if (event && !accepts(event)) continue;
      if ((reader.desiredSize ?? 0) >= bytes.byteLength) {
        reader.enqueue(bytes);
        continue;
      }
      readers.delete(reader);
      disconnect();
    }
  };
  const unsubscribe = subscribe((event) => send(`data: ${JSON.stringify(event)}\n\n`, event));
  const heartbeat = setInterval(() => send(': alive\n\n'), HEARTBEAT_MS);
  heartbeat.unref();
  return {
    open(disconnect, accepts = () => true) {
      let own: ReadableStreamDefaultController<Uint8Array>;
      const body = new ReadableStream<Uint8Array>(
        {
          start(controller) {
            own = controller;
            readers.set(controller, { disconnect, accepts });
            controller.enqueue(encoder.encode('retry: 1000\n\n'));
          },
          cancel: () => void readers.delete(own),
        },
        new ByteLengthQueuingStrategy({ highWaterMark: MAX_BACKLOG_BYTES }),
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
