import { shortened } from '../../shared/text/shortened.ts';

/** The most characters of a prompt in a watermark. */
const MAX_NAME_LENGTH = 44;
const BEFORE_SEED = '  ·  seed ';

/** The watermark's label: the prompt's first words and the seed. */
export const watermarkLabel = (prompt: string, seed: number): string =>
  `${shortened(prompt, MAX_NAME_LENGTH)}${BEFORE_SEED}${seed}`;

/** Shortens a label until it fits: words are dropped from the end, the seed stays. */
export function fitLabel(label: string, fits: (text: string) => boolean): string {
  const at = Math.max(0, label.lastIndexOf(BEFORE_SEED));
  const [name, seed] = [label.slice(0, at), label.slice(at)];
  let text = label;
  for (let longest = name.length - 1; longest > 1 && !fits(text); longest--) {
    text = `${shortened(name, longest)}${seed}`;
  }
  return text;
}
