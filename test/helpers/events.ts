import { createParser } from 'eventsource-parser';
import type { StudioEvent } from '../../src/shared/contract/events.ts';
import { PATIENCE_MS } from './patience.ts';

type OfType<Type extends StudioEvent['type']> = Extract<StudioEvent, { type: Type }>;

/** Reads the event stream. */
export interface EventReader {
  /** All events so far, in order. */
  seen: StudioEvent[];
  /** The first past or future event of this type that `matches` accepts. */
  next<Type extends StudioEvent['type']>(type: Type, matches?: (event: OfType<Type>) => boolean): Promise<OfType<Type>>;
  /** Resolves when the other side ends the stream. */
  ended: Promise<void>;
  close(): Promise<void>;
}

/** Reads server-sent events from an answer to `GET /events`. */
export function readEvents(response: Response): EventReader {
  if (!response.ok || !response.body) throw new Error(`GET /events answered ${response.status}.`);
  const { reader, push } = createEventReader(() => stream.cancel());
  const parser = createParser({ onEvent: ({ data }) => push(JSON.parse(data) as StudioEvent) });
  const stream = response.body.pipeThrough(new TextDecoderStream()).getReader();
  const read = async () => {
    for (let part = await stream.read(); !part.done; part = await stream.read()) parser.feed(part.value);
  };
  return { ...reader, ended: read().catch(() => {}) };
}

/** A reader that is fed by `push`, for transports that are not HTTP. */
export function createEventReader(close: () => Promise<void>) {
  const seen: StudioEvent[] = [];
  const waiting = new Set<(event: StudioEvent) => void>();
  const push = (event: StudioEvent) => {
    seen.push(event);
    for (const wait of [...waiting]) wait(event);
  };
  const reader: Omit<EventReader, 'ended'> = {
    seen,
    close,
    next<Type extends StudioEvent['type']>(type: Type, matches: (event: OfType<Type>) => boolean = () => true) {
      const fits = (event: StudioEvent): event is OfType<Type> => event.type === type && matches(event as OfType<Type>);
      const come = seen.find(fits);
      if (come) return Promise.resolve(come);
      return new Promise<OfType<Type>>((resolve, reject) => {
        const timer = setTimeout(() => {
          waiting.delete(wait);
          reject(new Error(`No ${type} event within ${PATIENCE_MS} ms.`));
        }, PATIENCE_MS);
        const wait = (event: StudioEvent) => {
          if (!fits(event)) return;
          clearTimeout(timer);
          waiting.delete(wait);
          resolve(event);
        };
        waiting.add(wait);
      });
    },
  };
  return { reader, push };
}
