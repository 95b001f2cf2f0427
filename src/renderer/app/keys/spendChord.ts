import { type RefObject, useEffectEvent, useId, useLayoutEffect } from 'react';
import { create } from 'zustand';
import { t } from '../../../shared/text/texts.ts';
import { isBehindModal } from '../../ui/index.ts';
import { announce } from '../announce.ts';
import { chordOf } from './chords.ts';
import { chordNow, useKeyHint, useShortcut } from './shortcuts.ts';

/**
 * Ctrl Enter presses the paid button of the focused form or dialog, else the main button of the page. It moves to another button only after
 * the user has done something else: the second of two presses never pays for anything but the first did.
 */

interface PaidButton {
  id: string;
  /** Its form, or the button itself. */
  place: RefObject<Element | null>;
  isMain: boolean;
  press: () => void;
}

interface Chord {
  /** Buttons of inner components come first; of two main buttons the last one is pressed. */
  buttons: readonly PaidButton[];
  /** The button pressed last, until the user does something else. */
  pressed?: string | undefined;
  /** The focused form, if it has a paid button other than the main one. If it is gone, nothing is pressed. */
  form?: Element | undefined;
}

const useChord = create<Chord>()(() => ({ buttons: [] }));

const isSeen = ({ current }: PaidButton['place']): boolean => current !== null && !isBehindModal(current);

function innermostAt(element: Element | null): PaidButton | undefined {
  if (element === null) return undefined;
  const one = useChord.getState().buttons.findLast(({ place }) => place.current === element);
  return one ?? innermostAt(element.parentElement);
}

/** The paid button of the focused place; prices behind a modal layer are not visible, so their buttons do not count. */
function buttonHere(): PaidButton | undefined {
  const { buttons } = useChord.getState();
  const one = innermostAt(document.activeElement) ?? buttons.findLast(({ isMain, place }) => isMain && isSeen(place));
  return one && isSeen(one.place) ? one : undefined;
}

/** The button that the chord would press now. */
function offeredNow(): PaidButton | undefined {
  const one = buttonHere();
  const { pressed = one?.id, form } = useChord.getState();
  return one?.id === pressed && form?.isConnected !== false ? one : undefined;
}

function pressOffered(): void {
  const one = offeredNow();
  const { pressed, form } = useChord.getState();
  if (one) useChord.setState({ pressed: one.id });
  else if (pressed ?? form) announce(t`Nothing was sent, because the focus moved. Press again.`);
  one?.press();
}

/** Remembers the focused form, unless one is remembered already. */
const look = (): void =>
  useChord.setState(({ form }) => {
    const one = innermostAt(document.activeElement);
    return { form: form ?? (one?.isMain ? undefined : (one?.place.current ?? undefined)) };
  });

/** The user does something else: a form that unmounts by this was left by them. */
function letGo(): void {
  useChord.setState({ pressed: undefined, form: undefined });
  setTimeout(look);
}

function hearKey(event: KeyboardEvent): void {
  const chord = chordOf(event);
  if (chord === '' || event.repeat || chord === chordNow('spend.go')) look();
  else letGo();
}

window.addEventListener('keydown', hearKey, true);
window.addEventListener('pointerdown', letGo, true);
window.addEventListener('click', letGo, true);
// Runs after the field's own listener: rendering before would restore its old value.
window.addEventListener('input', letGo);
window.addEventListener('focusin', look, true);
// During `focusout` the focus is between two elements.
window.addEventListener('focusout', () => queueMicrotask(look), true);

interface SpendChordOptions {
  enabled?: boolean;
  /** Pressed if the focus is in no other place with a paid button. */
  isMain?: boolean;
}

/** Lets the chord run `press` in `place`. Returns the chord as shown on the button, while it would do that. */
export function useSpendChord(
  place: RefObject<Element | null>,
  press: () => void,
  { enabled = true, isMain = false }: SpendChordOptions = {},
): string | undefined {
  const id = useId();
  const pressIt = useEffectEvent(press);
  useLayoutEffect(() => {
    if (!enabled) return;
    const one: PaidButton = { id, place, isMain, press: () => pressIt() };
    useChord.setState(({ buttons }) => ({ buttons: [...buttons, one] }));
    look();
    return () => useChord.setState(({ buttons }) => ({ buttons: buttons.filter((each) => each !== one) }));
  }, [id, place, enabled, isMain]);
  useShortcut('spend.go', pressOffered, enabled);
  const isOffered = useChord(() => offeredNow()?.id === id);
  const hint = useKeyHint('spend.go');
  return isOffered ? hint : undefined;
}

/** The message after any other key than the spending chord: the price and the chord. */
export const spendWords = (label: string, price: string, chord: string): string =>
  t`${label}, ${price}: ${chord} sends it.`;
