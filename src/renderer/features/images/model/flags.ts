import { type FlaggedPrompt, parsePromptFlags } from '../../../../shared/promptFlags.ts';
import { withinChoices } from '../../../../shared/promptMatrix.ts';

/** The flags of a text with choices, as it is written. */
export const flagsOf = (prompt: string): FlaggedPrompt => parsePromptFlags(prompt, withinChoices(prompt));
