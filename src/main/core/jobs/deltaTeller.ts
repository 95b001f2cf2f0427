import type { ChatDelta } from '../gateway/index.ts';

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
