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
      // The answer ended after two chunks. The longer the first, the less likely the second repeats it by chance.
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
const OPENING = /^\s{0,100}<(think|thought|mm:think|reasoning)>/;
/** Later in an answer only `<think>` at the start of a line opens: people mention the other tags in prompts, and this one within a line. */
const OPENING_AGAIN = /^\s{0,100}<(think)>/;
const AGAIN = '\n<think>';
const MAY_OPEN = /^\s{0,100}(?:<[a-z:]{0,9})?$/;

/**
 * Separates `<think>…</think>` from the rest of an answer while the text is still arriving, wherever a chunk ends. A tag counts at the
 * start of the answer, after another one, and at the start of a line. White space after a tag belongs to neither side.
 */
export function createThinkSplitter(onText: (text: string) => void, onReasoning: (text: string) => void) {
  let held = '';
  let part: 'start' | 'reasoning' | 'answer' = 'start';
  let opening = OPENING;
  /** The text that ends the part. */
  let awaited = '';
  let isTrimming = false;

  const emit = (length: number): void => {
    const text = held.slice(0, length);
    const visible = isTrimming ? text.trimStart() : text;
    held = held.slice(length);
    if (visible === '') return;
    isTrimming = false;
    (part === 'reasoning' ? onReasoning : onText)(visible);
  };
  /** Leaves a tag behind. */
  const enter = (next: typeof part, tag: string): void => {
    held = held.slice(tag.length);
    part = next;
    isTrimming = true;
  };
  /** Whether it is known how the part begins. */
  const isBegun = (last: boolean): boolean => {
    if (part !== 'start') return true;
    const [tag, name] = opening.exec(held) ?? [];
    if (tag === undefined && !last && MAY_OPEN.test(held)) return false;
    if (tag === undefined) part = 'answer';
    else enter('reasoning', tag);
    opening = OPENING_AGAIN;
    awaited = tag === undefined ? AGAIN : `</${name}>`;
    return true;
  };
  const run = (last: boolean): void => {
    while (isBegun(last)) {
      const end = held.indexOf(awaited);
      if (end < 0) return emit(held.length - (last ? 0 : overlap(held, awaited)));
      // The line break before the tag belongs to the answer.
      const isAnswer = part === 'answer';
      emit(isAnswer ? end + 1 : end);
      enter('start', isAnswer ? '' : awaited);
    }
  };
  return {
    push(text: string): void {
      held += text;
      run(false);
    },
    end: (): void => run(true),
  };
}

/** The number of characters at the end of `text` that may be the beginning of the tag. */
function overlap(text: string, tag: string): number {
  for (let length = Math.min(tag.length - 1, text.length); length > 0; length -= 1) {
    if (tag.startsWith(text.slice(-length))) return length;
  }
  return 0;
}
