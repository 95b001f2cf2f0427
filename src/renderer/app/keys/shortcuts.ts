import { useEffect, useRef } from 'react';
import { create } from 'zustand';
import { KEY_ACTIONS, type KeyActionId } from './actions.ts';
import { chordOf, hasModifier, isTyping, printChord, worksWhileTyping } from './chords.ts';

/** The user's own chords, kept in this window's storage; an action without one has its default. */
interface ShortcutState {
  own: Partial<Record<KeyActionId, string>>;
}

const STORAGE_KEY = 'dailies.shortcuts';

function stored(): ShortcutState['own'] {
  try {
    return JSON.parse(window.localStorage.getItem(STORAGE_KEY) ?? '{}') as ShortcutState['own'];
  } catch {
    return {};
  }
}

export const useShortcuts = create<ShortcutState>()(() => ({ own: stored() }));

const chordFor = (own: ShortcutState['own'], id: KeyActionId): string => own[id] ?? KEY_ACTIONS[id].chord;

/** Gives an action another chord, or with `undefined` its default back. */
export function rebind(id: KeyActionId, chord: string | undefined): void {
  const { [id]: _, ...others } = useShortcuts.getState().own;
  const own = chord === undefined || chord === KEY_ACTIONS[id].chord ? others : { ...others, [id]: chord };
  useShortcuts.setState({ own });
  window.localStorage.setItem(STORAGE_KEY, JSON.stringify(own));
}

/** Other actions that the chord already serves where this one is heard too. */
export function clashesOf(id: KeyActionId, chord: string): KeyActionId[] {
  const { own } = useShortcuts.getState();
  const scope = KEY_ACTIONS[id].scope;
  return (Object.keys(KEY_ACTIONS) as KeyActionId[]).filter((other) => {
    const otherScope = KEY_ACTIONS[other].scope;
    const meet = scope === otherScope || scope === 'everywhere' || otherScope === 'everywhere';
    return other !== id && meet && chordFor(own, other) === chord;
  });
}

/** The chord of an action as it is printed on its control. */
export const useKeyHint = (id: KeyActionId): string => useShortcuts((state) => printChord(chordFor(state.own, id)));

interface Registered {
  id: KeyActionId;
  handler: (event: KeyboardEvent) => void;
}

/** Innermost last; the last one that wants a chord gets it. */
const registered: Registered[] = [];

function dispatch(event: KeyboardEvent): void {
  if (event.isComposing) return;
  const chord = chordOf(event);
  if (chord === '' || (isTyping(event.target) && !worksWhileTyping(chord))) return;
  // A control keeps a plain key for itself (a radio button swallows Enter, a menu Escape); one with a modifier is meant for the page.
  if (event.defaultPrevented && !hasModifier(chord)) return;
  const { own } = useShortcuts.getState();
  const wanted = registered.findLast((entry) => chordFor(own, entry.id) === chord);
  if (!wanted) return;
  event.preventDefault();
  wanted.handler(event);
}

/**
 * Runs `handler` when the action's chord is pressed, while the component is there and `enabled`. Single keys are left to text fields;
 * a handler of an inner component goes before an outer one's.
 */
export function useShortcut(id: KeyActionId, handler: (event: KeyboardEvent) => void, enabled = true): void {
  const latest = useRef(handler);
  latest.current = handler;
  useEffect(() => {
    if (!enabled) return;
    if (registered.length === 0) window.addEventListener('keydown', dispatch);
    const entry: Registered = { id, handler: (event) => latest.current(event) };
    registered.push(entry);
    return () => {
      registered.splice(registered.indexOf(entry), 1);
      if (registered.length === 0) window.removeEventListener('keydown', dispatch);
    };
  }, [id, enabled]);
}
