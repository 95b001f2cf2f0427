import { t } from '../../../shared/texts.ts';
import { ACTIONS, type ActionId } from '../../app/keys/actions.ts';
import { hasModifier, printChord } from '../../app/keys/chords.ts';
import { actionOf, chordNow, clashesOf } from '../../app/keys/shortcuts.ts';

/** Keys that mean something to every control: a page that took them could no longer be left, or moved through. */
const RESERVED = new Set(['Tab', 'Shift+Tab', 'Enter', 'Space', 'Escape']);
const SPENDS: ActionId = 'spend.go';

/** Why an action cannot have a chord: one sentence, or nothing where it can. */
export function ruleAgainst(id: ActionId, chord: string): string | undefined {
  if (chord === actionOf(id).keys) return undefined;
  if (RESERVED.has(chord)) return t`${printChord(chord)} belongs to the controls of every page.`;
  if (id === SPENDS && !hasModifier(chord))
    return t`The main button of a page may spend money: its key needs ${printChord('Mod')} or ${printChord('Alt')} held, so that no slip of a finger presses it.`;
  return undefined;
}

/** An action that has the chord already. */
export interface Clash {
  chord: string;
  with: ActionId;
  /** The chord that the other would get in a swap. */
  swapTo: string;
  /** Why the two cannot be swapped. */
  noSwap?: string | undefined;
}

export function clashOf(id: ActionId, chord: string): Clash | undefined {
  const [other, ...more] = clashesOf(id, chord);
  if (other === undefined) return undefined;
  const swapTo = chordNow(id);
  return { chord, with: other, swapTo, noSwap: noSwap(id, other, swapTo, more) };
}

/** A chord like this one that nothing has yet: with Shift, else with Alt or Ctrl. */
export function freeLike(id: ActionId, chord: string): string | undefined {
  const key = chord.split('+').at(-1) ?? '';
  const like = [`Shift+${key}`, `Alt+${key}`, `Mod+Shift+${key}`, `Alt+Shift+${key}`];
  return like.find((one) => chordLike(one) && ruleAgainst(id, one) === undefined && clashesOf(id, one).length === 0);
}

/** Shift of a sign is another sign. */
const chordLike = (chord: string): boolean => !/^Shift\+[^A-Z0-9]$/.test(chord);

/** Why both cannot have the chord: what spends money is pressed for nothing else. */
export const noSharing = (id: ActionId, other: ActionId): string | undefined =>
  id === SPENDS || other === SPENDS ? t`The key that spends money has one meaning everywhere.` : undefined;

/** The rule comes before the clash: another action can be moved away, what spends never gets a plain key. */
function noSwap(id: ActionId, other: ActionId, swapTo: string, more: readonly ActionId[]): string | undefined {
  const against = ruleAgainst(other, swapTo);
  if (against !== undefined) return against;
  const third = more[0] ?? clashesOf(other, swapTo).find((clash) => clash !== id);
  return third === undefined ? undefined : t`“${ACTIONS[third].label}” would be heard too.`;
}
