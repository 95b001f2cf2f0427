import { shortened } from '../../shared/shortened.ts';

/** The most characters of a prompt that stand on a plate. */
const LONGEST_NAME = 44;
const BEFORE_SEED = '  ·  seed ';

/** The line on the plate of every picture and clip: the prompt's first words and the seed it was drawn with. */
export const labelOf = (prompt: string, seed: number): string =>
  `${shortened(prompt, LONGEST_NAME)}${BEFORE_SEED}${seed}`;

/** As much of a label as fits: its words are left out one by one from their end, its seed is always whole. */
export function fittedLabel(label: string, fits: (text: string) => boolean): string {
  const at = Math.max(0, label.lastIndexOf(BEFORE_SEED));
  const [name, seed] = [label.slice(0, at), label.slice(at)];
  let text = label;
  for (let longest = name.length - 1; longest > 1 && !fits(text); longest--) {
    text = `${shortened(name, longest)}${seed}`;
  }
  return text;
}
