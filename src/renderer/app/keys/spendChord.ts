import { type RefObject, useEffectEvent, useId, useLayoutEffect } from 'react';
import { create } from 'zustand';
import { t } from '../../../shared/text/texts.ts';
import { isBehindModal } from '../../ui/index.ts';
import { announce } from '../announce.ts';
import { chordOf } from './chords.ts';
import { chordNow, useKeyHint, useShortcut } from './shortcuts.ts';

/**
 * Ctrl Enter presses the paid button of the form or dialog that has the focus, else the main button of the page. It goes over to another
 * button only after the person has done something else, so that the second of two presses never pays for anything but the first.
 */

interface PaidButton {
  id: string;
  /** Its form, or the button alone. */
  place: RefObject<Element | null>;
  isMain: boolean;
  press: () => void;
}

interface Chord {
  /** Those of inner components are first; of two main ones, the last is pressed. */
  buttons: readonly PaidButton[];
  /** Pressed last, until the person does something else. */
  pressed?: string | undefined;
  /** The form that has the focus, of a button beside the main one. While it has gone, nothing is pressed. */
  form?: Element | undefined;
}

const useChord = create<Chord>()(() => ({ buttons: [] }));

const isSeen = ({ current }: PaidButton['place']): boolean => current !== null && !isBehindModal(current);

function innermostAt(element: Element | null): PaidButton | undefined {
  if (element === null) return undefined;
  const one = useChord.getState().buttons.findLast(({ place }) => place.current === element);
  return one ?? innermostAt(element.parentElement);
}

/** The button of the place where the focus is; a price that a modal layer covers is not seen. */
function buttonHere(): PaidButton | undefined {
  const { buttons } = useChord.getState();
  const one = innermostAt(document.activeElement) ?? buttons.findLast(({ isMain, place }) => isMain && isSeen(place));
  return one && isSeen(one.place) ? one : undefined;
}

/** What the chord would press now. */
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

/** Keeps the form that has the focus now, unless one is kept already. */
const look = (): void =>
  useChord.setState(({ form }) => {
    const one = innermostAt(document.activeElement);
    return { form: form ?? (one?.isMain ? undefined : (one?.place.current ?? undefined)) };
  });

/** The person does something else: a form that goes with it was left by them. */
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
// Heard after the field itself: what is rendered before would put its old value back.
window.addEventListener('input', letGo);
window.addEventListener('focusin', look, true);
// The focus is between two elements now.
window.addEventListener('focusout', () => queueMicrotask(look), true);

interface SpendChordOptions {
  enabled?: boolean;
  /** It is also pressed where the focus is in no other place. */
  isMain?: boolean;
}

/** Lets the chord do `press` in `place`. Answers the chord as it is printed on the button, while it would do that. */
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

/** What is said where something else than the chord that spends was pressed: what it would cost, and the chord. */
export const spendWords = (label: string, price: string, chord: string): string =>
  t`${label}, ${price}: ${chord} sends it.`;
