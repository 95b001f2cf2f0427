import { composePromptFlags, type FlaggedPrompt, parsePromptFlags, withFlag } from '../../../../shared/promptFlags.ts';
import { withinChoices } from '../../../../shared/promptMatrix.ts';

/** The flags of a text with choices, as it is written. */
export const flagsOf = (prompt: string): FlaggedPrompt => parsePromptFlags(prompt, withinChoices(prompt));

/** A prompt to go on from: all of it but the seed, or all but the words. */
export function remixed(prompt: string, without: 'seed' | 'words'): string {
  const parsed = flagsOf(prompt);
  return composePromptFlags(without === 'seed' ? withFlag(parsed, 'seed', undefined) : { ...parsed, text: '' });
}
