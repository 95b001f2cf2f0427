/** Chords are written `Mod+Shift+K`; `Mod` is Ctrl, and Cmd on a Mac. A key without Ctrl, Alt or Cmd works outside text fields only. */

const MODIFIERS = ['Mod', 'Alt', 'Shift'] as const;

export const isMac = (): boolean => /mac/i.test(navigator.platform);

const NAMED: Record<string, string> = {
  ' ': 'Space',
  ArrowUp: 'Up',
  ArrowDown: 'Down',
  ArrowLeft: 'Left',
  ArrowRight: 'Right',
};

/** The key of an event: its letter, or its position on the keyboard if a modifier changed the letter (Alt on a Mac). */
function keyName(event: KeyboardEvent): string {
  const { key, code } = event;
  const place = /^(?:Key|Digit)(.)$/.exec(code)?.[1];
  if (/^[\x21-\x7e]$/.test(key)) return key.toUpperCase();
  return place && key.length === 1 ? place : (NAMED[key] ?? key);
}

/** The chord of a key press; empty while only modifiers are held. */
export const chordOf = (event: KeyboardEvent): string => chordWith(event, keyName(event));

/** The chord by the digit of a number key, for keyboards on which digits need Shift, such as French ones. Empty for other keys. */
export function digitChordOf(event: KeyboardEvent): string {
  const { code, shiftKey } = event;
  const isPlain = code.startsWith('Digit') && !shiftKey && !event.getModifierState('AltGraph');
  return isPlain ? chordWith(event, code.slice('Digit'.length)) : '';
}

function chordWith(event: KeyboardEvent, key: string): string {
  if (['Control', 'Meta', 'Alt', 'Shift'].includes(key)) return '';
  const held = { Mod: isMac() ? event.metaKey : event.ctrlKey, Alt: event.altKey, Shift: event.shiftKey };
  const symbol = /^[^A-Z0-9]$/.test(key);
  return [...MODIFIERS.filter((name) => held[name] && !(name === 'Shift' && symbol)), key].join('+');
}

const PRINTED: Record<string, string> = {
  Enter: '↵',
  Escape: 'Esc',
  Delete: 'Del',
  Up: '↑',
  Down: '↓',
  Left: '←',
  Right: '→',
};

/** A chord as shown on a control: `Ctrl ↵`, `Alt 1`, `⌘ K` on a Mac. */
export function printChord(chord: string): string {
  const mac = isMac();
  const modifiers: Record<string, string> = mac
    ? { Mod: '⌘', Alt: '⌥', Shift: '⇧' }
    : { Mod: 'Ctrl', Alt: 'Alt', Shift: 'Shift' };
  return chord
    .split('+')
    .map((part) => modifiers[part] ?? PRINTED[part] ?? part)
    .join(' ');
}

/** Whether the focused element takes typed text. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return !['checkbox', 'radio', 'button', 'range'].includes(target.type);
  return target instanceof HTMLTextAreaElement || target.isContentEditable;
}

/** The browser's own radio buttons and sliders move by these keys. Our controls stop the keys that they use. */
const MOVING_KEYS: readonly string[] = ['Left', 'Right', 'Up', 'Down', 'Home', 'End', 'PageUp', 'PageDown'];

/** Whether a key without a modifier moves the focused control. */
export const movesControl = (target: EventTarget | null, chord: string): boolean =>
  target instanceof HTMLInputElement && ['radio', 'range'].includes(target.type) && MOVING_KEYS.includes(chord);

/** Undo, select and clipboard chords belong to a focused text field. */
const IS_EDITING = /^Mod\+(?:Shift\+)?[ACVXYZ]$/;

/** With Ctrl (on a Mac Cmd and Alt) these keys move the caret, or delete, by words, lines and paragraphs. */
const CARET_KEYS: readonly string[] = ['Left', 'Right', 'Up', 'Down', 'Home', 'End', 'Backspace', 'Delete'];

const movesCaret = (chord: string): boolean =>
  CARET_KEYS.includes(chord.split('+').at(-1) ?? '') && (isMac() || chord.startsWith('Mod+'));

/** Whether a chord may fire while a text field has the focus. */
export const worksWhileTyping = (chord: string): boolean =>
  /^(?:Mod|Alt)\+|^(?:Shift\+)?F\d|^Escape$/.test(chord) && !IS_EDITING.test(chord) && !movesCaret(chord);

/** Whether the chord has Ctrl, Cmd or Alt. */
export const hasModifier = (chord: string): boolean => /^(?:Mod|Alt)\+/.test(chord);
