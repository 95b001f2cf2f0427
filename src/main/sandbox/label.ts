/** The line on the plate of every picture and clip: the prompt's first words and the seed it was drawn with. */
export function labelOf(prompt: string, seed: number): string {
  const words = prompt.trim().split(/\s+/);
  let text = words.slice(0, 7).join(' ');
  if (text.length > 44) text = text.slice(0, 44).trimEnd();
  const isCut = text.length < words.join(' ').length;
  return `${text}${isCut ? '…' : ''}  ·  seed ${seed}`;
}
