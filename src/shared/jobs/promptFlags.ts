/**
 * Option flags at the end of an image prompt (spec 2.6): `--v 7`, `--ar 16:9`, `--q 2` and any other, in their order, so that parsing and
 * composing lose nothing.
 */
export interface PromptFlag {
  name: string;
  /** Empty for a flag such as `--tile`. */
  value: string;
}

export interface FlaggedPrompt {
  text: string;
  flags: PromptFlag[];
}

const DASHES = /^(?:--|[—–])(?=[a-z])/i;

/** Whether an index of the text is within a choice: a flag there belongs to a member of the choice, not to the prompt. */
type IsWithin = (index: number) => boolean;
const NOWHERE: IsWithin = () => false;

/**
 * Splits a prompt into text and trailing flags. Typographic dashes (`—ar 16:9`) count, as typing aids produce them. Unknown flags are kept;
 * a word after a flag is its value. Nothing `isWithin` a choice is a flag.
 */
export function parsePromptFlags(prompt: string, isWithin: IsWithin = NOWHERE): FlaggedPrompt {
  const start = flagsStart(prompt, isWithin);
  const flags: PromptFlag[] = [];
  for (const { word, isFlag } of wordsOf(prompt, isWithin).filter(({ at }) => at >= start)) {
    const last = flags.at(-1);
    if (isFlag) flags.push({ name: word.replace(DASHES, ''), value: '' });
    else if (last) last.value = last.value === '' ? word : `${last.value} ${word}`;
  }
  return { text: prompt.slice(0, start).trim(), flags };
}

/** The index of the first flag; the length of the prompt without flags. */
export const flagsStart = (prompt: string, isWithin: IsWithin = NOWHERE): number =>
  wordsOf(prompt, isWithin).find(({ isFlag }) => isFlag)?.at ?? prompt.length;

function wordsOf(prompt: string, isWithin: IsWithin): { word: string; at: number; isFlag: boolean }[] {
  let from = 0;
  return prompt.split(/\s+/).flatMap((word) => {
    const at = prompt.indexOf(word, from);
    from = at + word.length;
    return word === '' ? [] : [{ word, at, isFlag: DASHES.test(word) && !isWithin(at) }];
  });
}

/** The inverse of {@link parsePromptFlags}. */
export function composePromptFlags({ text, flags }: FlaggedPrompt): string {
  const tail = flags.map((flag) => (flag.value === '' ? `--${flag.name}` : `--${flag.name} ${flag.value}`));
  return [text.trim(), ...tail].filter((part) => part !== '').join(' ');
}

/** The value of a flag; the last one counts, as gateways do. */
export function flagValue(prompt: FlaggedPrompt, name: string): string | undefined {
  return prompt.flags.findLast((flag) => flag.name === name)?.value;
}

/** Sets, replaces or (with undefined) removes a flag. */
export function withFlag(prompt: FlaggedPrompt, name: string, value: string | undefined): FlaggedPrompt {
  const at = prompt.flags.findLastIndex((flag) => flag.name === name);
  const others = prompt.flags.filter((flag, index) => flag.name !== name || index === at);
  if (value === undefined) return { ...prompt, flags: others.filter((flag) => flag.name !== name) };
  if (at < 0) return { ...prompt, flags: [...others, { name, value }] };
  return { ...prompt, flags: others.map((flag) => (flag.name === name ? { name, value } : flag)) };
}
