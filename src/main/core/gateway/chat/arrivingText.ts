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

/**
 * Gemini in OpenAI's form and exaone-deep (tinyhumansai/openhuman#6184): `thought`. MiniMax (vllm-project/vllm#46042): `mm:think`. gpt-oss
 * on Bedrock (CherryHQ/cherry-studio#10225): `reasoning`.
 */
const OPENINGS = ['<think>', '<thought>', '<mm:think>', '<reasoning>'];
const OPENING = /<(?:think|thought|mm:think|reasoning)>/g;
/** People ask for the others in prompts, so they count only at the start of the answer. */
const OPENING_ANYWHERE = '<think>';

/**
 * Separates `<think>…</think>` from the answer while the text is still arriving, wherever a chunk ends. The tag counts only at the start
 * of the answer or of a line, so an answer that mentions the tag keeps it. White space after a tag belongs to neither side.
 */
export function createThinkSplitter(onText: (text: string) => void, onReasoning: (text: string) => void) {
  let held = '';
  /** The tag that ends the reasoning; undefined outside of it. */
  let closing: string | undefined;
  /** Only white space so far. */
  let atStart = true;
  /** Only spaces since the last line break. */
  let lineStart = true;
  /** White space after a tag is dropped until the first word. */
  let trimming = false;

  const emit = (text: string): void => {
    const visible = trimming ? text.trimStart() : text;
    if (visible === '') return;
    trimming = false;
    if (closing !== undefined) return onReasoning(visible);
    if (atStart) atStart = visible.trim() === '';
    if (lineStart || visible.includes('\n')) lineStart = isLineStart(visible, lineStart);
    onText(visible);
  };

  /** Takes one step through `held`; false if it needs more text. */
  const step = (last: boolean): boolean => {
    const found =
      closing === undefined ? openingIn(held, { atStart, lineStart: lineStart || trimming }) : closingIn(held, closing);
    const part = last ? 0 : partAtEnd(held, closing === undefined ? OPENINGS : [closing]);
    const until = found?.at ?? held.length - part;
    emit(held.slice(0, until));
    held = held.slice(found ? found.at + found.tag.length : until);
    if (!found) return false;
    closing = closing === undefined ? found.tag.replace('<', '</') : undefined;
    atStart = false;
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
    push(text: string): void {
      if (held === '' && !text.includes('<')) return emit(text);
      held += text;
      run(false);
    },
    end: (): void => run(true),
  };
}

interface Tag {
  tag: string;
  at: number;
}

function isLineStart(text: string, before: boolean): boolean {
  const line = text.slice(text.lastIndexOf('\n') + 1);
  return (before || line.length < text.length) && line.trim() === '';
}

function closingIn(text: string, tag: string): Tag | undefined {
  const at = text.indexOf(tag);
  return at < 0 ? undefined : { tag, at };
}

/** The first tag that counts. All are looked for at once: what is behind the first would be searched again for each that is not there. */
function openingIn(text: string, { atStart, lineStart }: { atStart: boolean; lineStart: boolean }): Tag | undefined {
  const start = atStart ? text.search(/\S/) : -1;
  for (const { 0: tag, index: at } of text.matchAll(OPENING)) {
    const counts = tag === OPENING_ANYWHERE ? isAtLineStart(text, at, lineStart) : at === start;
    if (counts) return { tag, at };
  }
  return undefined;
}

function isAtLineStart(text: string, at: number, lineStart: boolean): boolean {
  let before = at - 1;
  while (before >= 0 && ' \t\r'.includes(text.charAt(before))) before -= 1;
  return before < 0 ? lineStart : text[before] === '\n';
}

/** The number of characters at the end of `text` that may be the beginning of one of the tags. */
const partAtEnd = (text: string, tags: readonly string[]): number => Math.max(...tags.map((tag) => overlap(text, tag)));

function overlap(text: string, tag: string): number {
  for (let length = Math.min(tag.length - 1, text.length); length > 0; length -= 1) {
    if (tag.startsWith(text.slice(-length))) return length;
  }
  return 0;
}
