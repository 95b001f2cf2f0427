import { MEDIA_TASK_LIMIT_MS } from '../../../shared/library/asset.ts';
import type { CoreEvents } from '../coreEvents.ts';
import type { Library } from '../library/index.ts';
import type { Clock } from '../ports.ts';

export interface MeasuringDeps {
  library: Pick<Library, 'measures'>;
  events: CoreEvents;
  clock: Clock;
}

/** A page may lose a task and another one take it up; where nothing of the kind is done for this long, nobody measures. */
const SILENCE_MS = 2 * MEDIA_TASK_LIMIT_MS;

/** Has the media page measure what was never measured, and resolves once all is, once nobody measures, or once it is aborted. */
export function whenMeasured(
  sha256s: readonly string[],
  { library, events, clock }: MeasuringDeps,
  { signal, onProgress }: { signal: AbortSignal; onProgress(share: number): void },
): Promise<void> {
  return new Promise((resolve) => {
    let stopWatch = (): void => undefined;
    const end = (): void => {
      stopWatch();
      events.off('mediaTask.ended', look);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const look = (): void => {
      const files = sha256s.length === 0 ? [] : Object.values(library.measures(sha256s));
      const open = files.filter(({ state }) => state === 'waiting').length;
      onProgress(1 - open / Math.max(1, files.length));
      if (open === 0 || signal.aborted) return end();
      stopWatch();
      stopWatch = clock.after(SILENCE_MS, end);
    };
    events.on('mediaTask.ended', look);
    signal.addEventListener('abort', end);
    look();
  });
}
