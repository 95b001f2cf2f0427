/**
 * Services that stream send what is new; some send everything so far, every time. The second piece gives it away: it begins with all
 * of the first. It is held back until the third confirms that, or does not.
 */
export interface Increments {
  /** `cumulative`: the text is the message so far, which may repeat earlier chunks. */
  push(text: string, cumulative: boolean): void;
  end(): void;
}

export function createIncrements(onNew: (text: string) => void): Increments {
  let manner: 'unknown' | 'new only' | 'all so far' = 'unknown';
  /** What was handed on, as long as it matters. */
  let joined = '';
  let held: string | undefined;

  const add = (text: string): void => {
    joined += text;
    onNew(text);
  };
  const advance = (all: string): void => add(all.slice(joined.length));
  const goesOn = (text: string, from: string): boolean => text.length > from.length && text.startsWith(from);

  const takeUnknown = (text: string, cumulative: boolean): void => {
    if (held !== undefined) {
      const first = held;
      held = undefined;
      const confirmed = text.startsWith(first) && /\p{L}/u.test(first);
      manner = confirmed ? 'all so far' : 'new only';
      if (confirmed) return advance(text);
      add(first);
      return add(text);
    }
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
    push(text, cumulative) {
      if (text === '') return;
      if (manner === 'new only') onNew(text);
      else if (manner === 'unknown') takeUnknown(text, cumulative);
      else if (text.startsWith(joined)) advance(text);
    },
    end() {
      if (held === undefined) return;
      // Only two pieces came: the longer the first, the less it is said again by chance.
      const repeated = joined.length >= 3 && /\p{L}/u.test(joined);
      if (repeated) advance(held);
      else add(held);
      held = undefined;
    },
  };
}
