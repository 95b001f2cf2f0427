/**
 * Parts `<think>…</think>` from the answer while the text is still arriving, wherever a chunk ends. The tag counts at the start of
 * the answer or of a line only: an answer that speaks about the tag keeps it.
 */
export interface ThinkSplitter {
  push(text: string): void;
  end(): void;
}

const OPEN = '<think>';
const CLOSE = '</think>';

export function createThinkSplitter(
  onText: (text: string) => void,
  onReasoning: (text: string) => void,
): ThinkSplitter {
  let held = '';
  let thinking = false;
  let lineStart = true;
  let trimming = false;

  const say = (text: string): void => {
    const spoken = trimming ? text.replace(/^\s+/, '') : text;
    if (spoken === '') return;
    trimming = false;
    lineStart = /(^|\n)[ \t\r]*$/.test(spoken) && (spoken.includes('\n') || lineStart);
    onText(spoken);
  };
  const think = (text: string): void => {
    if (text !== '') onReasoning(text);
  };

  /** Takes one step through `held`; false when it must wait for more. */
  const step = (last: boolean): boolean => {
    if (thinking) {
      const end = held.indexOf(CLOSE);
      const until = end >= 0 ? end : last ? held.length : held.length - overlap(held, CLOSE);
      think(held.slice(0, until));
      held = held.slice(end >= 0 ? end + CLOSE.length : until);
      if (end < 0) return false;
      thinking = false;
      trimming = true;
      lineStart = true;
      return true;
    }
    const start = openingIn(held, lineStart || trimming);
    if (start >= 0) {
      say(held.slice(0, start));
      held = held.slice(start + OPEN.length).replace(/^\r?\n/, '');
      thinking = true;
      return true;
    }
    const until = last ? held.length : held.length - overlap(held, OPEN);
    say(held.slice(0, until));
    held = held.slice(until);
    return false;
  };

  const run = (last: boolean): void => {
    while (held !== '' && step(last)) {
      // Each step consumes a tag.
    }
  };
  return {
    push(text) {
      held += text;
      run(false);
    },
    end: () => run(true),
  };
}

function openingIn(text: string, lineStart: boolean): number {
  for (let at = text.indexOf(OPEN); at >= 0; at = text.indexOf(OPEN, at + 1)) {
    const before = text.slice(0, at);
    const line = before.slice(before.lastIndexOf('\n') + 1);
    if (line.trim() === '' && (lineStart || before.includes('\n'))) return at;
  }
  return -1;
}

/** How many characters at the end of `text` may be the beginning of `tag`. */
function overlap(text: string, tag: string): number {
  for (let length = Math.min(tag.length - 1, text.length); length > 0; length -= 1) {
    if (tag.startsWith(text.slice(-length))) return length;
  }
  return 0;
}
