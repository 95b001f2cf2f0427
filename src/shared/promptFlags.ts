/**
 * Option flags at the end of an image prompt (spec 2.6): `--v 7`, `--ar 16:9`, `--q 2` and any other,
 * kept in their order, so that parse and compose lose nothing of what the user wrote.
 */
export interface PromptFlag {
  name: string;
  /** Empty for a flag without a value, such as `--tile`. */
  value: string;
}

export interface FlaggedPrompt {
  text: string;
  flags: PromptFlag[];
}

const DASHES = /^(?:--|[—–])(?=[a-z])/i;

/**
 * Splits a prompt into its text and its trailing flags. Typographic dashes (`—ar 16:9`) count as flags, as typing aids write them.
 * Unknown flags are kept; a word that follows a flag is its value.
 */
export function parsePromptFlags(prompt: string): FlaggedPrompt {
  const first = /(?:^|\s)(?:--|[—–])[a-z]/i.exec(prompt);
  if (!first) return { text: prompt.trim(), flags: [] };
  const flags: PromptFlag[] = [];
  for (const word of prompt.slice(first.index).trim().split(/\s+/)) {
    const last = flags.at(-1);
    if (DASHES.test(word)) flags.push({ name: word.replace(DASHES, ''), value: '' });
    else if (last) last.value = last.value === '' ? word : `${last.value} ${word}`;
  }
  return { text: prompt.slice(0, first.index).trim(), flags };
}

/** The inverse of {@link parsePromptFlags}. */
export function composePromptFlags({ text, flags }: FlaggedPrompt): string {
  const tail = flags.map((flag) => (flag.value === '' ? `--${flag.name}` : `--${flag.name} ${flag.value}`));
  return [text.trim(), ...tail].filter((part) => part !== '').join(' ');
}

/** The value of a flag; if it is given twice, the last one counts, as with the services. */
export function flagValue(prompt: FlaggedPrompt, name: string): string | undefined {
  return prompt.flags.findLast((flag) => flag.name === name)?.value;
}

/** Sets, replaces or (with undefined) removes a flag; all others stay unchanged. */
export function withFlag(prompt: FlaggedPrompt, name: string, value: string | undefined): FlaggedPrompt {
  const at = prompt.flags.findLastIndex((flag) => flag.name === name);
  const others = prompt.flags.filter((flag, index) => flag.name !== name || index === at);
  if (value === undefined) return { ...prompt, flags: others.filter((flag) => flag.name !== name) };
  if (at < 0) return { ...prompt, flags: [...others, { name, value }] };
  return { ...prompt, flags: others.map((flag) => (flag.name === name ? { name, value } : flag)) };
}
