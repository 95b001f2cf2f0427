import { documentsIn, isDoneMarker, MAX_DOCUMENTS_PER_EVENT } from '../exchange/index.ts';
import { createEventReader, type ServerEvent } from '../http/index.ts';
import type { ChatDelta } from '../types.ts';
import { ChatAssembly, type ChatState } from './assembly.ts';
import type { PictureSink } from './pictures.ts';

/** Handles the events of a chat stream one after the other; returns `false` once nothing more can follow. */
export function createEventHandler(assembly: ChatAssembly): (event: ServerEvent) => boolean {
  return (event) => {
    applyEvent(assembly, event);
    return !isDoneMarker(event);
  };
}

export function applyEvent(assembly: ChatAssembly, event: ServerEvent, documents = documentsIn(event)): void {
  for (const document of documents) assembly.push(document, event.name);
  if (documents.length === 0 && event.name === 'error' && !event.tail) assembly.push(event.data, 'error');
  if (documents.length >= MAX_DOCUMENTS_PER_EVENT) assembly.overflow();
  if (isDoneMarker(event)) assembly.done();
}

interface ChatStreamReader {
  /** Takes bytes in any pieces; returns `false` once one event is larger than can be read. */
  feed(bytes: Uint8Array): boolean;
  /** The answer as far as it was received. */
  end(): ChatState;
}

const EVENT_LIMIT = 32 * 1024 * 1024;

/** Reads the bytes of a chat stream and emits its text as it arrives. It never throws, whatever the bytes are. */
export function createChatStreamReader(onDelta: (delta: ChatDelta) => void, pictures?: PictureSink): ChatStreamReader {
  const assembly = new ChatAssembly(onDelta, pictures);
  const take = createEventHandler(assembly);
  const events = createEventReader(EVENT_LIMIT, take);
  return {
    feed: (bytes) => events.feed(bytes),
    end() {
      events.end();
      assembly.end();
      return assembly.state();
    },
  };
}
