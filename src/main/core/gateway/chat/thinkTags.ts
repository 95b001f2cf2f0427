/**
 * Separates `<think>…</think>` from the answer while the text is still arriving, wherever a chunk ends. The tag counts only at the start
 * of the answer or of a line, so an answer that mentions the tag keeps it. White space after a tag belongs to neither side.
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
  /** Only spaces since the last line break. */
  let lineStart = true;
  /** White space after a tag is dropped until the first word. */
  let trimming = false;

  const emit = (text: string): void => {
    const visible = trimming ? text.trimStart() : text;
    if (visible === '') return;
    trimming = false;
    if (thinking) return onReasoning(visible);
    if (lineStart || visible.includes('\n')) lineStart = isLineStart(visible, lineStart);
    onText(visible);
  };

  /** Takes one step through `held`; false if it needs more text. */
  const step = (last: boolean): boolean => {
    const tag = thinking ? CLOSE : OPEN;
    const at = thinking ? held.indexOf(CLOSE) : openingIn(held, lineStart || trimming);
    const until = at >= 0 ? at : last ? held.length : held.length - overlap(held, tag);
    emit(held.slice(0, until));
    held = held.slice(at >= 0 ? at + tag.length : until);
    if (at < 0) return false;
    thinking = !thinking;
    trimming = true;
    lineStart = true;
    return true;
  };

  const run = (last: boolean): void => {
    while (held !== '' && step(last)) {
      // Each step consumes a tag.
    }
  };
  return {
    push(text) {
      if (held === '' && !text.includes('<')) return emit(text);
      held += text;
      run(false);
    },
    end: () => run(true),
  };
}

function isLineStart(text: string, before: boolean): boolean {
  const line = text.slice(text.lastIndexOf('\n') + 1);
  return (before || line.length < text.length) && line.trim() === '';
}

function openingIn(text: string, lineStart: boolean): number {
  for (let at = text.indexOf(OPEN); at >= 0; at = text.indexOf(OPEN, at + 1)) {
    let before = at - 1;
    while (before >= 0 && ' \t\r'.includes(text.charAt(before))) before -= 1;
    if (before < 0 ? lineStart : text[before] === '\n') return at;
  }
  return -1;
}

/** The number of characters at the end of `text` that may be the beginning of `tag`. */
function overlap(text: string, tag: string): number {
  for (let length = Math.min(tag.length - 1, text.length); length > 0; length -= 1) {
    if (tag.startsWith(text.slice(-length))) return length;
  }
  return 0;
}
