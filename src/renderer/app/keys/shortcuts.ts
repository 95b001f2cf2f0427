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

/** An action of the tables, with all optional fields. */
export const actionOf = (id: ActionId): Action => ACTIONS[id];

/** The user's own chords from the settings; other actions have their default. */
type OwnChords = Readonly<Partial<Record<string, string>>>;

const NONE: OwnChords = {};
const ownOf = ({ settings }: StudioState): OwnChords => settings?.shortcuts ?? NONE;
const ownNow = (): OwnChords => ownOf(useStudio.getState());

/** Empty if the action has no chord. */
const chordFor = (own: OwnChords, id: ActionId): string => own[id] ?? actionOf(id).keys ?? '';

/** Sets chords of actions; `undefined` restores the default. They apply at once; an error takes them back. */
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

/** The current chord of an action. */
export const chordNow = (id: ActionId): string => chordFor(ownNow(), id);

/** Other actions with the same chord that are available in a common place. */
export function clashesOf(id: ActionId, chord: string): ActionId[] {
  const own = ownNow();
  const meets = (other: ActionId) => actionOf(other).when.some((place) => actionOf(id).when.includes(place));
  return ACTION_IDS.filter((other) => other !== id && chordFor(own, other) === chord && meets(other));
}

/** The chord of an action, as shown on its control. */
export const useKeyHint = (id: ActionId): string => printChord(useStudio((state) => chordFor(ownOf(state), id)));

/** Whether the user has set the action's chord. */
export const useIsRebound = (id: ActionId): boolean => useStudio((state) => ownOf(state)[id] !== undefined);

/** The actions whose chord the user has set. */
export const useChangedKeys = (): ActionId[] => {
  const own = useStudio(ownOf);
  return Object.keys(own).filter((id): id is ActionId => Object.hasOwn(ACTIONS, id));
};

/** What the palette shows of an action besides its table entry. */
export interface Offer {
  /** Such as "Undo: remove shot 4". */
  label?: string;
  /** Why it is not available now. */
  off?: string | undefined;
  /** It spends. Neither its shortcut nor `Enter` sends it, only the chord for spending. */
  spend?: { price: string; isUnpriced?: boolean; onSend: () => void } | undefined;
}

interface Live extends Offer {
  /** Identifies the `useShortcut` call. */
  use: string;
  id: ActionId;
  run: (event: KeyboardEvent) => void;
}

/** The actions that are available now. */
const useHere = create<{
  /** Actions of parts of the page, innermost last. The last one with a chord gets it. */
  live: readonly Live[];
  /** The place of the shown page; none if a part of a page is shown alone. */
  place?: Place | undefined;
}>()(() => ({ live: [] }));

function isHere(id: ActionId): boolean {
  const { place } = useHere.getState();
  return place === undefined || actionOf(id).when.includes(place);
}

/** Declares the place of a page while it is shown: only actions of that place are available. */
export function usePlace(place: Place): void {
  useLayoutEffect(() => {
    useHere.setState({ place });
    return () => useHere.setState({ place: undefined });
  }, [place]);
}

/** The place of the shown page. */
export const placeNow = (): Place | undefined => useHere.getState().place;

/** The available actions of the page, each as provided by its innermost part. */
export function liveActions(): readonly Live[] {
  const offered = useHere.getState().live.filter(({ id }) => isHere(id));
  return offered.filter(
    ({ id, label }, at) => at === offered.findLastIndex((one) => one.id === id && one.label === label),
  );
}

/** {@link liveActions} for components. */
export function useLiveActions(): ReturnType<typeof liveActions> {
  useHere();
  return liveActions();
}

/** Available in dialogs too: a dialog sends by `spend.go`, and the palette opens above it. */
const ABOVE_PAGES: readonly ActionId[] = ['spend.go', 'palette.open'];

/** The action of a chord here: one of the page, else a global one. */
function servingOf(chord: string): Pick<Live, 'id' | 'run'> | undefined {
  const own = ownNow();
  const serves = (id: ActionId) => chord !== '' && chordFor(own, id) === chord && isHere(id);
  const id = ACTION_IDS.find((one) => actionOf(one).run !== undefined && serves(one));
  return useHere.getState().live.findLast((one) => serves(one.id)) ?? (id && { id, run: () => actionOf(id).run?.() });
}

/** Whether an action has this chord, given as shown on a control. */
export const isServed = (printed: string): boolean =>
  ACTION_IDS.some((id) => printChord(chordNow(id)) === printed && servingOf(chordNow(id)) !== undefined);

/** In an open menu a letter selects a row. */
const isInMenu = (target: EventTarget | null): boolean => target instanceof Element && target.closest('.menu') !== null;

/** The action for a key, by its character or else by its digit. On a Mac, Option with a digit types a symbol. */
const answering = (event: KeyboardEvent, chord: string) =>
  servingOf(chord) ?? (isMac() && isTyping(event.target) ? undefined : servingOf(digitChordOf(event)));

function dispatch(event: KeyboardEvent): void {
  if (event.isComposing) return;
  const chord = chordOf(event);
  if (chord === '' || (isTyping(event.target) && !worksWhileTyping(chord))) return;
  if (isInMenu(event.target) && !hasModifier(chord)) return;
  if (movesControl(event.target, chord)) return;
  // A control keeps plain keys to itself (Enter on a radio button, Escape in a menu); keys with a modifier are for the page.
  if (event.defaultPrevented && !hasModifier(chord)) return;
  const wanted = answering(event, chord);
  if (!wanted || (isPageCovered() && !ABOVE_PAGES.includes(wanted.id))) return;
  event.preventDefault();
  // A chord has one meaning: toasts would take F6 too.
  event.stopImmediatePropagation();
  if (!event.repeat || actionOf(wanted.id).repeats) wanted.run(event);
}

/** The last key press. Only after all listeners ran is it known whether the page used it. */
let pressed: KeyboardEvent | undefined;

/**
 * Electron moves the focus to the menu bar when Alt is released, unless the page prevented that key event (`HandleKeyEvent` in its
 * root_view.cc). After a chord, a release of Alt before the other key belongs to the page too.
 */
function hearRelease(event: KeyboardEvent): void {
  if (event.key === 'Alt' && pressed?.altKey && pressed.defaultPrevented) event.preventDefault();
}

window.addEventListener('keydown', (event) => (pressed = event), true);
window.addEventListener('keyup', hearRelease, true);
window.addEventListener('keydown', dispatch);

/**
 * Provides the `run` of an action, for its shortcut and the palette, while the component is mounted and `enabled`. Text fields keep single
 * keys; an inner component's `run` wins over an outer one's. Returns the shortcut as shown on a control.
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
  // Before the paint, so that a visible control already has its shortcut.
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
