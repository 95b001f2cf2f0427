import { documentsIn, isDoneMarker, MAX_DOCUMENTS_PER_EVENT } from '../exchange/index.ts';
import type { ServerEvent } from '../http/index.ts';
import type { ChatAssembly } from './assembly.ts';

/** Takes one event of a chat stream; returns `false` once nothing more can follow. */
export function applyEvent(assembly: ChatAssembly, event: ServerEvent, documents = documentsIn(event)): boolean {
  for (const document of documents) assembly.push(document, event.name);
  if (documents.length === 0 && event.name === 'error' && !event.tail) assembly.push(event.data, 'error');
  if (documents.length >= MAX_DOCUMENTS_PER_EVENT) assembly.overflow();
  const isDone = isDoneMarker(event);
  if (isDone) assembly.done();
  return !isDone;
}
