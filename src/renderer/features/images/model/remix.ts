import { composePromptFlags, parsePromptFlags, withFlag } from '../../../../shared/promptFlags.ts';

/** A prompt to go on from: all of it but the seed, or all but the words. */
export function remixed(prompt: string, without: 'seed' | 'words'): string {
  const parsed = parsePromptFlags(prompt);
  return composePromptFlags(without === 'seed' ? withFlag(parsed, 'seed', undefined) : { ...parsed, text: '' });
}
