import type { ChatDelta } from '../../gateway/index.ts';
import type { EngineDeps } from '../deps.ts';
import * as statements from '../statements.ts';

/** Deltas are written in batches at this interval, one commit each, so that a kill loses no more than this. */
const FLUSH_MS = 40;

export type PartialWriter = ReturnType<typeof partialWriter>;

/** Stores the text as it arrives, a commit every {@link FLUSH_MS}. Text that cannot be written is kept for the next commit. */
export function partialWriter(deps: EngineDeps, jobId: string, isClosed: () => boolean) {
  let text = '';
  let reasoning = '';
  let cancel: (() => void) | undefined;
  const flush = (): void => {
    cancel?.();
    cancel = undefined;
    if (isClosed() || (text === '' && reasoning === '')) return;
    try {
      deps.store.transaction((db) => db.run(statements.appendPartial, { id: jobId, text, reasoning }));
    } catch (error) {
      deps.log.error({ job: jobId, error: String(error) }, 'a piece of an answer cannot be written yet');
      return;
    }
    text = '';
    reasoning = '';
  };
  return {
    add: (delta: ChatDelta): void => {
      if (delta.channel === 'text') text += delta.text;
      else reasoning += delta.text;
      cancel ??= deps.clock.after(FLUSH_MS, flush);
    },
    flush,
  };
}

/** Tells what arrives in one turn of the event loop as one piece of each channel: a service may send every letter by itself. */
export function deltaTeller(tell: (delta: ChatDelta) => void) {
  let pieces: ChatDelta[] = [];
  let later: NodeJS.Immediate | undefined;
  const flush = (): void => {
    clearImmediate(later);
    later = undefined;
    const told = pieces;
    pieces = [];
    for (const piece of told) tell(piece);
  };
  return {
    add({ channel, text }: ChatDelta): void {
      const last = pieces.at(-1);
      if (last?.channel === channel) last.text += text;
      else pieces.push({ channel, text });
      later ??= setImmediate(flush);
    },
    flush,
  };
}
