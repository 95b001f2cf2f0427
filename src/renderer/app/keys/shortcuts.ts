import { useEffectEvent, useId, useLayoutEffect } from 'react';
import { create } from 'zustand';
import { isPageCovered } from '../../ui/index.ts';
import { showRefusal } from '../refusals.ts';
import { type StudioState, saveSettings, useStudio } from '../state/studio.ts';
import { ACTION_IDS, ACTIONS, type ActionId } from './actions.ts';
import {
  chordOf,
  digitChordOf,
  hasModifier,
  isMac,
  isTyping,
  movesControl,
  printChord,
  worksWhileTyping,
} from './chords.ts';
import type { Action, Place } from './places.ts';

/** One action of the tables, with all that an action may have. */
export const actionOf = (id: ActionId): Action => ACTIONS[id];

/** The person's own chords, kept in the settings; an action without one has its default. */
type OwnChords = Readonly<Partial<Record<string, string>>>;

const NONE: OwnChords = {};
const ownOf = ({ settings }: StudioState): OwnChords => settings?.shortcuts ?? NONE;
const ownNow = (): OwnChords => ownOf(useStudio.getState());

/** Empty where an action has no keys. */
const chordFor = (own: OwnChords, id: ActionId): string => own[id] ?? actionOf(id).keys ?? '';

/** Gives actions other chords, or with `undefined` their default back. They serve at once; a refusal takes them back. */
export async function rebind(changes: Partial<Record<ActionId, string | undefined>>): Promise<void> {
  const { settings } = useStudio.getState();
  if (!settings) return;
  const chords = Object.entries({ ...settings.shortcuts, ...changes });
  const own = chords.filter(([id, chord]) => chord !== undefined && chord !== ACTIONS[id as ActionId]?.keys);
  const shortcuts = Object.fromEntries(own) as Record<string, string>;
  useStudio.setState({ settings: { ...settings, shortcuts } });
  const answer = await saveSettings({ shortcuts });
  if (answer.ok) return;
  showRefusal(answer.error);
  const shown = useStudio.getState().settings;
  if (shown) useStudio.setState({ settings: { ...shown, shortcuts: settings.shortcuts } });
}

/** The chord that serves an action now. */
export const chordNow = (id: ActionId): string => chordFor(ownNow(), id);

/** Other actions that the chord already serves where this one can be done too. */
export function clashesOf(id: ActionId, chord: string): ActionId[] {
  const own = ownNow();
  const meets = (other: ActionId) => actionOf(other).when.some((place) => actionOf(id).when.includes(place));
  return ACTION_IDS.filter((other) => other !== id && chordFor(own, other) === chord && meets(other));
}

/** The chord of an action as it is printed on its control. */
export const useKeyHint = (id: ActionId): string => printChord(useStudio((state) => chordFor(ownOf(state), id)));

/** Whether the person has given the action a chord of its own. */
export const useIsRebound = (id: ActionId): boolean => useStudio((state) => ownOf(state)[id] !== undefined);

/** The actions that have a chord of the person's own. */
export const useChangedKeys = (): ActionId[] => {
  const own = useStudio(ownOf);
  return Object.keys(own).filter((id): id is ActionId => Object.hasOwn(ACTIONS, id));
};

/** What the palette says of an action now, beside what its table does. */
export interface Offer {
  /** "Undo: remove shot 4". */
  label?: string;
  /** Why it cannot be done now. */
  off?: string | undefined;
  /** It sends what is billed. Neither its key nor `Enter` sends it; the chord that spends does. */
  spend?: { price: string; isUnpriced?: boolean; onSend: () => void } | undefined;
}

interface Live extends Offer {
  /** Identifies the `useShortcut` call. */
  use: string;
  id: ActionId;
  run: (event: KeyboardEvent) => void;
}

/** What can be done now. */
const useHere = create<{
  /** What parts of the page do. Innermost last; the last one that wants a chord gets it. */
  live: readonly Live[];
  /** The place of the page that is shown; none in a part of a page that is shown alone. */
  place?: Place | undefined;
}>()(() => ({ live: [] }));

function isHere(id: ActionId): boolean {
  const { place } = useHere.getState();
  return place === undefined || actionOf(id).when.includes(place);
}

/** Says what place a page is, while it is shown: only the actions of that place can be done. */
export function usePlace(place: Place): void {
  useLayoutEffect(() => {
    useHere.setState({ place });
    return () => useHere.setState({ place: undefined });
  }, [place]);
}

/** The place of the page that is shown. */
export const placeNow = (): Place | undefined => useHere.getState().place;

/** What parts of the page do now, each action once: as the innermost does it. */
export function liveActions(): readonly Live[] {
  const offered = useHere.getState().live.filter(({ id }) => isHere(id));
  return offered.filter(
    ({ id, label }, at) => at === offered.findLastIndex((one) => one.id === id && one.label === label),
  );
}

/** The same, for what shows it. */
export function useLiveActions(): ReturnType<typeof liveActions> {
  useHere();
  return liveActions();
}

/** Work in a dialog too: a dialog sends by `spend.go`, and the palette opens above it. */
const ABOVE_PAGES: readonly ActionId[] = ['spend.go', 'palette.open'];

/** What a chord does here: what a part of the page does, else what it does everywhere. */
function servingOf(chord: string): Pick<Live, 'id' | 'run'> | undefined {
  const own = ownNow();
  const serves = (id: ActionId) => chord !== '' && chordFor(own, id) === chord && isHere(id);
  const id = ACTION_IDS.find((one) => actionOf(one).run !== undefined && serves(one));
  return useHere.getState().live.findLast((one) => serves(one.id)) ?? (id && { id, run: () => actionOf(id).run?.() });
}

/** Whether something answers to a chord, as it is printed on a control. */
export const isServed = (printed: string): boolean =>
  ACTION_IDS.some((id) => printChord(chordNow(id)) === printed && servingOf(chordNow(id)) !== undefined);

/** In an open menu a letter finds a line of it. */
const isInMenu = (target: EventTarget | null): boolean => target instanceof Element && target.closest('.menu') !== null;

/** What answers to a key, by its character or else by its digit. On a Mac, a digit with Option writes a sign. */
const answering = (event: KeyboardEvent, chord: string) =>
  servingOf(chord) ?? (isMac() && isTyping(event.target) ? undefined : servingOf(digitChordOf(event)));

function dispatch(event: KeyboardEvent): void {
  if (event.isComposing) return;
  const chord = chordOf(event);
  if (chord === '' || (isTyping(event.target) && !worksWhileTyping(chord))) return;
  if (isInMenu(event.target) && !hasModifier(chord)) return;
  if (movesControl(event.target, chord)) return;
  // A control keeps a plain key for itself (a radio button swallows Enter, a menu Escape); one with a modifier is meant for the page.
  if (event.defaultPrevented && !hasModifier(chord)) return;
  const wanted = answering(event, chord);
  if (!wanted || (isPageCovered() && !ABOVE_PAGES.includes(wanted.id))) return;
  event.preventDefault();
  // A chord has one meaning: the notices would take F6 for themselves.
  event.stopImmediatePropagation();
  if (!event.repeat || actionOf(wanted.id).repeats) wanted.run(event);
}

/** What was pressed last: whether the page has taken it is known once it was heard everywhere. */
let pressed: KeyboardEvent | undefined;

/**
 * Electron gives the focus to the menu bar when Alt is let go, and sees of the keys only what the page did not prevent (`HandleKeyEvent` in
 * its root_view.cc): after a chord, Alt that is let go before the other key is for the page too.
 */
function hearRelease(event: KeyboardEvent): void {
  if (event.key === 'Alt' && pressed?.altKey && pressed.defaultPrevented) event.preventDefault();
}

window.addEventListener('keydown', (event) => (pressed = event), true);
window.addEventListener('keyup', hearRelease, true);
window.addEventListener('keydown', dispatch);

/**
 * Gives an action what it does, while the component is there and it is `enabled`: by its key, and in the palette. Single keys are left to
 * text fields; what an inner component gives goes before an outer one's. Answers the key as it is printed on a control.
 */
export function useShortcut(
  id: ActionId,
  run: (event: KeyboardEvent) => void,
  enabled = true,
  { label, off, spend }: Offer = {},
): string {
  const use = useId();
  const runNow = useEffectEvent(run);
  const sendNow = useEffectEvent(() => spend?.onSend());
  const { price, isUnpriced } = spend ?? {};
  // Before the paint: a control that can be seen answers to its key.
  useLayoutEffect(() => {
    if (!enabled) return;
    const entry = { use, id, run: (event: KeyboardEvent) => runNow(event) };
    useHere.setState(({ live }) => ({ live: [...live, entry] }));
    return () => useHere.setState(({ live }) => ({ live: live.filter((one) => one.use !== use) }));
  }, [use, id, enabled]);
  useLayoutEffect(() => {
    if (!enabled) return;
    const offer = {
      label,
      off,
      spend: price === undefined ? undefined : { price, isUnpriced, onSend: () => sendNow() },
    };
    useHere.setState(({ live }) => ({
      live: live.map((one) => (one.use === use && one.id === id ? { ...one, ...offer } : one)),
    }));
  }, [use, id, enabled, label, off, price, isUnpriced]);
  return useKeyHint(id);
}
