import type { Locator, Page } from 'playwright';

/** A person who uses only the keyboard. */
export interface Hands {
  /** Clicks a button, opens a tab, selects a list row or an option, toggles a switch; with its shortcut, if it has one. */
  press(target: Locator, chord?: string): Promise<void>;
  /** Replaces what is in a field. */
  write(target: Locator, text: string): Promise<void>;
}

export function keys({ keyboard }: Page): Hands {
  return {
    press: async (target, chord) => {
      await target.waitFor({ state: 'attached' });
      if (chord !== undefined) return keyboard.press(chord);
      await reach(target);
      const key = await target.evaluate(keyFor);
      if (key !== null) await keyboard.press(key);
    },
    write: async (target, text) => {
      await reach(target);
      await keyboard.press('Control+a');
      await keyboard.type(text);
    },
  };
}

/** Opens the system's file dialog and chooses a file. */
export async function giveFile(
  hands: Hands,
  target: Locator,
  file: { name: string; mimeType: string; buffer: Buffer },
): Promise<void> {
  const [chooser] = await Promise.all([target.page().waitForEvent('filechooser'), hands.press(target)]);
  await chooser.setFiles(file);
}

/** Counts mouse events in the page from here on. */
export const countMouse = (page: Page): Promise<unknown> =>
  page.evaluate(`globalThis.mouseEvents = 0;
for (const type of ['pointerdown', 'mousedown'])
  addEventListener(type, () => { globalThis.mouseEvents++; }, true);`);

export const mouseEvents = (page: Page): Promise<unknown> => page.evaluate('globalThis.mouseEvents');

const MOST_STOPS = 200;

/** Goes to an element by Tab, and within a group by arrow keys. */
async function reach(target: Locator): Promise<void> {
  const { keyboard } = target.page();
  const passed: string[] = [];
  for (let stop = 0; stop < MOST_STOPS; stop++) {
    const { key, at } = await target.evaluate(wayTo);
    if (key === null) return;
    passed.push(`${key} at ${at}`);
    await keyboard.press(key);
  }
  throw new Error(`No key comes to ${target}: ${[...new Set(passed)].join(' | ')}`);
}

/** The parts of page elements that are used here. */
interface El {
  tagName: string;
  textContent: string | null;
  ownerDocument: { activeElement: El; body: El; querySelectorAll(selector: string): ArrayLike<El> };
  contains(other: El): boolean;
  closest(selector: string): El | null;
  querySelectorAll(selector: string): ArrayLike<El>;
  getAttribute(name: string): string | null;
  matches(selector: string): boolean;
  compareDocumentPosition(other: El): number;
  getBoundingClientRect(): { left: number; top: number };
}

/** Runs in the page: the next key to press to reach this element from the focus; null once there. */
function wayTo(element: unknown): { key: string | null; at: string } {
  const target = element as El;
  const focus = target.ownerDocument.activeElement;
  const at = (focus.getAttribute('aria-label') ?? focus.textContent ?? focus.tagName).slice(0, 40);
  if (focus === target) return { key: null, at };
  const name = target.matches('input[type=radio]') ? target.getAttribute('name') : null;
  const isOfGroup = name !== null && focus.matches('input[type=radio]') && focus.getAttribute('name') === name;
  const group = target.closest('[role=radiogroup], [role=listbox], [role=tablist], [role=menu]');
  if (
    isOfGroup ||
    (group?.contains(focus) && (focus === group || focus.getAttribute('role') === target.getAttribute('role')))
  ) {
    if (target.matches('[aria-selected=true]') && target.matches('[role=option]')) return { key: null, at };
    const chosen = focus === group ? group.querySelectorAll('[aria-selected=true]')[0] : focus;
    const [from, to] = [(chosen ?? focus).getBoundingClientRect(), target.getBoundingClientRect()];
    const [x, y] = [to.left - from.left, to.top - from.top];
    if (Math.abs(y) > Math.abs(x)) return { key: y > 0 ? 'ArrowDown' : 'ArrowUp', at };
    return { key: x > 0 ? 'ArrowRight' : 'ArrowLeft', at };
  }
  const isBefore = (focus.compareDocumentPosition(target) & 2) !== 0;
  const panel = target.closest('[data-panel]');
  const isCovered = target.ownerDocument.querySelectorAll('[role=dialog]').length > 0;
  if (panel && !isCovered && !panel.contains(focus)) return { key: isBefore ? 'Shift+F6' : 'F6', at };
  return { key: isBefore && focus !== target.ownerDocument.body ? 'Shift+Tab' : 'Tab', at };
}

/** Runs in the page: the key that activates the focused element; null if focusing it already did. */
function keyFor(element: unknown): string | null {
  const target = element as El & { checked?: boolean };
  if (target.matches('[role=option]')) return null;
  if (target.matches('[role=radio], input[type=radio]'))
    return target.checked === true || target.matches('[aria-checked=true]') ? null : 'Space';
  return target.matches('[role=switch], [role=checkbox], input[type=checkbox]') ? 'Space' : 'Enter';
}
