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

/** The key of an event by its letter where it has one, by its place on the board where a modifier changed it (Alt on a Mac). */
function keyName(event: KeyboardEvent): string {
  const { key, code } = event;
  const place = /^(?:Key|Digit)(.)$/.exec(code)?.[1];
  if (/^[\x21-\x7e]$/.test(key)) return key.toUpperCase();
  return place && key.length === 1 ? place : (NAMED[key] ?? key);
}

/** The chord of a key press; empty while only modifiers are held. */
export const chordOf = (event: KeyboardEvent): string => chordWith(event, keyName(event));

/**
 * The chord by the digit of a key in the number row, for where its character serves nothing: on a French keyboard it has its digit with
 * Shift alone. Empty for every other key.
 */
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

/** As it is printed on a control: `Ctrl ↵`, `Alt 1`, `⌘ K` on a Mac. */
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

/** Whether typing belongs to what has the focus. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return !['checkbox', 'radio', 'button', 'range'].includes(target.type);
  return target instanceof HTMLTextAreaElement || target.isContentEditable;
}

/** A radio button and a slider of the browser's own move by them; the other ones keep a key that they have used to themselves. */
const MOVING_KEYS: readonly string[] = ['Left', 'Right', 'Up', 'Down', 'Home', 'End', 'PageUp', 'PageDown'];

/** Whether a key without a modifier moves what has the focus. */
export const movesControl = (target: EventTarget | null, chord: string): boolean =>
  target instanceof HTMLInputElement && ['radio', 'range'].includes(target.type) && MOVING_KEYS.includes(chord);

/** Undoing, selecting and the clipboard belong to the text that one is writing. */
const IS_EDITING = /^Mod\+(?:Shift\+)?[ACVXYZ]$/;

/** With a modifier they move the caret, or delete, by words, lines and paragraphs: with Ctrl, on a Mac with Cmd and Alt. */
const CARET_KEYS: readonly string[] = ['Left', 'Right', 'Up', 'Down', 'Home', 'End', 'Backspace', 'Delete'];

const movesCaret = (chord: string): boolean =>
  CARET_KEYS.includes(chord.split('+').at(-1) ?? '') && (isMac() || chord.startsWith('Mod+'));

/** Whether a chord may fire while a text field has the focus. */
export const worksWhileTyping = (chord: string): boolean =>
  /^(?:Mod|Alt)\+|^(?:Shift\+)?F\d|^Escape$/.test(chord) && !IS_EDITING.test(chord) && !movesCaret(chord);

/** Ctrl, Cmd or Alt is held. */
export const hasModifier = (chord: string): boolean => /^(?:Mod|Alt)\+/.test(chord);
