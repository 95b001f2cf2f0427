import { expect } from 'vitest';
import type { Program } from './program.ts';

interface Focus {
  name: string;
  where: 'body' | 'page';
  isSeen: boolean;
}

/** A person without a pointer: uses keys alone and records every place where the focus is invisible. */
export class Keyboard {
  readonly unseen = new Set<string>();
  private readonly program: Program;

  constructor(program: Program) {
    this.program = program;
  }

  async press(...keys: string[]): Promise<void> {
    for (const key of keys) await this.program.page.keyboard.press(key);
  }

  type(text: string): Promise<void> {
    return this.program.page.keyboard.type(text);
  }

  see(text: string | RegExp): Promise<void> {
    return this.program.page.getByText(text).first().waitFor();
  }

  async focused(): Promise<string> {
    return (await this.focus()).name.trim();
  }

  private focus(): Promise<Focus> {
    return this.program.page.evaluate<Focus>(FOCUS);
  }

  /** The focus may move on from a removed element, but must end visibly on the page. */
  async check(step: string): Promise<void> {
    const where = async () => (await this.focus()).where;
    await expect.poll(where, { message: `${step}: the focus is nowhere` }).toBe('page');
    // A new menu row is marked a moment later.
    const isSeen = async () => (await this.focus()).isSeen;
    const marked = expect.poll(isSeen, { timeout: 3_000 }).toBe(true);
    await marked.catch(async () => this.unseen.add(`${step}: no ring on ${(await this.focused()).slice(0, 60)}`));
  }

  /** Presses Tab until an element with that name has the focus; checks every stop on the way. */
  async tabTo(name: RegExp, key = 'Tab'): Promise<void> {
    const passed: string[] = [];
    let bare = 0;
    for (let step = 0; step < 140; step++) {
      await this.press(key);
      const focus = await this.focus();
      // After the last control, the window itself has the focus once.
      bare = focus.where === 'body' ? bare + 1 : 0;
      if (bare > 1) break;
      if (focus.where === 'page' && !focus.isSeen) this.unseen.add(`no ring on ${focus.name.slice(0, 80)}`);
      if (focus.where === 'page' && name.test(focus.name.trim())) return;
      passed.push(focus.name.slice(0, 30));
    }
    throw new Error(`Tab never came to ${name}; it came to ${[...new Set(passed)].join(' | ')}`);
  }

  /** Goes to a button and presses it. */
  async open(name: RegExp, key?: string): Promise<void> {
    await this.tabTo(name, key);
    await this.press('Enter');
  }

  /** Replaces what is in a field. */
  async write(field: RegExp, text: string): Promise<void> {
    await this.tabTo(field);
    await this.press('Control+a');
    await this.type(text);
  }

  /** Opens a menu and goes round it until the row appears, which may happen a moment later. */
  async choose(button: RegExp, line: RegExp): Promise<void> {
    await this.open(button);
    await this.program.page.getByRole('menu').waitFor();
    for (let step = 0; step < 400; step++) {
      await this.check('in a menu');
      if (line.test(await this.focused())) return this.press('Enter');
      await this.press('ArrowDown');
    }
    throw new Error(`the menu has no ${line}`);
  }
}

/** In the page: the focused element, and whether it or its field, picture or row shows a focus ring. */
const FOCUS = `(() => {
  const { activeElement: one, body } = document;
  const label = one.labels?.[0] ?? document.getElementById(one.getAttribute('aria-labelledby')?.split(' ')[0]);
  const name = one.ariaLabel ?? label?.textContent ?? one.textContent;
  const isRinged = (element) => {
    const { outlineStyle, boxShadow } = getComputedStyle(element);
    return outlineStyle !== 'none' || boxShadow.includes('inset');
  };
  const inside = ['[aria-selected="true"]', '.media'].map((part) => one.querySelector(part));
  const around = [one, one.closest('.in'), one.closest('.q'), ...inside];
  return {
    name: (one.matches('[data-panel]') ? 'the panel ' : '') + name || one.outerHTML.slice(0, 120),
    where: one === body ? 'body' : 'page',
    isSeen: around.some((element) => element && isRinged(element)),
  };
})()`;
