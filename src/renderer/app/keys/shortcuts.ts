import { useLayoutEffect, useRef } from 'react';
import { showRefusal } from '../refusals.ts';
import { type StudioState, saveSettings, useStudio } from '../state/studio.ts';
import { KEY_ACTIONS, type KeyActionId, type Place, REPEATED } from './actions.ts';
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
import { isPageCovered } from './modal.ts';

/** The person's own chords, kept in the settings; an action without one has its default. */
type OwnChords = Readonly<Partial<Record<string, string>>>;

const NONE: OwnChords = {};
const ownOf = ({ settings }: StudioState): OwnChords => settings?.shortcuts ?? NONE;
const ownNow = (): OwnChords => ownOf(useStudio.getState());

const chordFor = (own: OwnChords, id: KeyActionId): string => own[id] ?? KEY_ACTIONS[id].chord;

/** Gives actions other chords, or with `undefined` their default back. They serve at once; a refusal takes them back. */
export async function rebind(changes: Partial<Record<KeyActionId, string | undefined>>): Promise<void> {
  const { settings } = useStudio.getState();
  if (!settings) return;
  const chords = Object.entries({ ...settings.shortcuts, ...changes });
  const own = chords.filter(([id, chord]) => chord !== undefined && chord !== KEY_ACTIONS[id as KeyActionId]?.chord);
  const shortcuts = Object.fromEntries(own) as Record<string, string>;
  useStudio.setState({ settings: { ...settings, shortcuts } });
  const answer = await saveSettings({ shortcuts });
  if (answer.ok) return;
  showRefusal(answer.error);
  const shown = useStudio.getState().settings;
  if (shown) useStudio.setState({ settings: { ...shown, shortcuts: settings.shortcuts } });
}

/** The chord that serves an action now. */
export const chordNow = (id: KeyActionId): string => chordFor(ownNow(), id);

/** Other actions that the chord already serves where this one is heard too. */
export function clashesOf(id: KeyActionId, chord: string): KeyActionId[] {
  const own = ownNow();
  const here: ReadonlySet<Place> = new Set(KEY_ACTIONS[id].heard);
  return (Object.keys(KEY_ACTIONS) as KeyActionId[]).filter(
    (other) =>
      other !== id && chordFor(own, other) === chord && KEY_ACTIONS[other].heard.some((place) => here.has(place)),
  );
}

/** The chord of an action as it is printed on its control. */
export const useKeyHint = (id: KeyActionId): string => useStudio((state) => printChord(chordFor(ownOf(state), id)));

/** Whether the person has given the action a chord of its own. */
export const useIsRebound = (id: KeyActionId): boolean => useStudio((state) => ownOf(state)[id] !== undefined);

/** The actions that have a chord of the person's own. */
export const useChangedKeys = (): KeyActionId[] => {
  const own = useStudio(ownOf);
  return Object.keys(own).filter((id): id is KeyActionId => Object.hasOwn(KEY_ACTIONS, id));
};

interface Registered {
  id: KeyActionId;
  handler: (event: KeyboardEvent) => void;
}

/** Innermost last; the last one that wants a chord gets it. */
const registered: Registered[] = [];

/** Work in a dialog too: a dialog sends by `spend.go`, and the palette opens above it. */
const ABOVE_PAGES: ReadonlySet<KeyActionId> = new Set(['spend.go', 'palette.open']);

/** Whether something answers to a chord, as it is printed on a control. */
export const isServed = (printed: string): boolean =>
  registered.some(({ id }) => printChord(chordFor(ownNow(), id)) === printed);

/** In an open menu a letter finds a line of it. */
const isInMenu = (target: EventTarget | null): boolean => target instanceof Element && target.closest('.menu') !== null;

/** What answers to a key, by its character or else by its digit. On a Mac, a digit with Option writes a sign. */
function servingOf(event: KeyboardEvent, chord: string): Registered | undefined {
  const own = ownNow();
  const serving = (wanted: string) => registered.findLast((entry) => chordFor(own, entry.id) === wanted);
  return serving(chord) ?? (isMac() && isTyping(event.target) ? undefined : serving(digitChordOf(event)));
}

function dispatch(event: KeyboardEvent): void {
  if (event.isComposing) return;
  const chord = chordOf(event);
  if (chord === '' || (isTyping(event.target) && !worksWhileTyping(chord))) return;
  if (isInMenu(event.target) && !hasModifier(chord)) return;
  if (movesControl(event.target, chord)) return;
  // A control keeps a plain key for itself (a radio button swallows Enter, a menu Escape); one with a modifier is meant for the page.
  if (event.defaultPrevented && !hasModifier(chord)) return;
  const wanted = servingOf(event, chord);
  if (!wanted || (isPageCovered() && !ABOVE_PAGES.has(wanted.id))) return;
  event.preventDefault();
  // A chord has one meaning: the notices would take F6 for themselves.
  event.stopImmediatePropagation();
  if (!event.repeat || REPEATED.has(wanted.id)) wanted.handler(event);
}

/** What was pressed last: whether the page has taken it is known once it was heard everywhere. */
let pressed: KeyboardEvent | undefined;

const remember = (event: KeyboardEvent): void => {
  pressed = event;
};

/**
 * Electron gives the focus to the menu bar when Alt is let go, and sees of the keys only what the page did not prevent (`HandleKeyEvent` in
 * its root_view.cc): after a chord, Alt that is let go before the other key is for the page too.
 */
function hearRelease(event: KeyboardEvent): void {
  if (event.key === 'Alt' && pressed?.altKey && pressed.defaultPrevented) event.preventDefault();
}

function listen(): () => void {
  window.addEventListener('keydown', remember, true);
  window.addEventListener('keydown', dispatch);
  window.addEventListener('keyup', hearRelease, true);
  return () => {
    window.removeEventListener('keydown', remember, true);
    window.removeEventListener('keydown', dispatch);
    window.removeEventListener('keyup', hearRelease, true);
  };
}

let stopListening: (() => void) | undefined;

/**
 * Runs `handler` when the action's chord is pressed, while the component is there and `enabled`. Single keys are left to text fields;
 * a handler of an inner component goes before an outer one's.
 */
export function useShortcut(id: KeyActionId, handler: (event: KeyboardEvent) => void, enabled = true): void {
  const latest = useRef(handler);
  latest.current = handler;
  // Before the paint: a control that can be seen answers to its key.
  useLayoutEffect(() => {
    if (!enabled) return;
    stopListening ??= listen();
    const entry: Registered = { id, handler: (event) => latest.current(event) };
    registered.push(entry);
    return () => {
      registered.splice(registered.indexOf(entry), 1);
      if (registered.length > 0) return;
      stopListening?.();
      stopListening = undefined;
    };
  }, [id, enabled]);
}
