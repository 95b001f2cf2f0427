/**
 * Most services stream only new text; some send everything so far with every chunk. Their second chunk begins with the whole first one,
 * so it is held back until the third confirms this, or does not.
 */
export function createIncrements(onNew: (text: string) => void) {
  let manner: 'unknown' | 'new only' | 'all so far' = 'unknown';
  /** The text that was emitted, as long as it is needed. */
  let joined = '';
  let held: string | undefined;

  const add = (text: string): void => {
    joined += text;
    onNew(text);
  };
  const advance = (all: string): void => add(all.slice(joined.length));
  const goesOn = (text: string, from: string): boolean => text.length > from.length && text.startsWith(from);

  const takeAfterHeld = (first: string, text: string): void => {
    held = undefined;
    const confirmed = text.startsWith(first) && /\p{L}/u.test(first);
    manner = confirmed ? 'all so far' : 'new only';
    if (confirmed) return advance(text);
    add(first);
    add(text);
  };

  const takeUnknown = (text: string, cumulative: boolean): void => {
    if (held !== undefined) return takeAfterHeld(held, text);
    if (joined === '') return add(text);
    if (goesOn(text, joined)) {
      held = text;
      return;
    }
    if (cumulative && text === joined) return;
    manner = 'new only';
    add(text);
  };

  return {
    /** `cumulative`: the text is the message so far, which may repeat earlier chunks. */
    push(text: string, cumulative: boolean): void {
      if (text === '') return;
      if (manner === 'new only') onNew(text);
      else if (manner === 'unknown') takeUnknown(text, cumulative);
      else if (text.startsWith(joined)) advance(text);
    },
    end(): void {
      if (held === undefined) return;
      // Only two chunks were received: the longer the first, the less likely it is a chance repetition.
      const repeated = joined.length >= 3 && /\p{L}/u.test(joined);
      if (repeated) advance(held);
      else add(held);
      held = undefined;
    },
  };
}
