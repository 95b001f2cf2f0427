import type { Export } from '../../src/shared/film/filmExport.ts';
import type { TestStudio } from './testStudio.ts';

/** Waits until an export has ended; an error if it failed. */
export async function exported({ ask, studio }: TestStudio, { id }: Pick<Export, 'id'>): Promise<Export> {
  const ended = Promise.withResolvers<void>();
  // Subscribed before the query: the export may end in between.
  const stop = studio.subscribe((event) => {
    if (event.type === 'export.changed' && event.export.id === id && event.export.state !== 'running') ended.resolve();
  });
  if ((await ask('exports.get', { id })).state === 'running') await ended.promise;
  stop();
  const one = await ask('exports.get', { id });
  if (one.state !== 'done') throw new Error(one.error ?? one.state);
  return one;
}
