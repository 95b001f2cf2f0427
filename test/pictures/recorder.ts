import type { Locator, Page } from 'playwright';
import { boxOf } from '../helpers/browser.ts';
import { drawn, type Frame } from './webp.ts';

const [WIDTH, HEIGHT] = [1_120, 700];
const STEP_MS = 70;
const STEPS = 5;

/** Films a page frame by frame with stated durations, independent of the machine's speed. */
export class Recorder {
  readonly frames: Frame[] = [];
  private readonly page: Page;
  private at = { x: 900, y: 620 };

  constructor(page: Page) {
    this.page = page;
  }

  /** Shows the page for so long. */
  async show(ms: number): Promise<void> {
    await this.page.evaluate(pointAt, this.at);
    const png = await this.page.screenshot({ animations: 'disabled' });
    this.frames.push({ canvas: await drawn(png, WIDTH, HEIGHT), ms });
  }

  async moveTo(target: Locator): Promise<void> {
    await target.scrollIntoViewIfNeeded();
    const { x, y, width, height } = await boxOf(target);
    const [from, to] = [this.at, { x: x + width / 2, y: y + height / 2 }];
    for (let step = 1; step <= STEPS; step++) {
      // It slows down before it arrives.
      const share = 1 - (1 - step / STEPS) ** 2;
      this.at = { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share };
      await this.page.mouse.move(this.at.x, this.at.y);
      await this.show(STEP_MS);
    }
  }

  async click(target: Locator, ms = 300): Promise<void> {
    await this.moveTo(target);
    await this.page.mouse.click(this.at.x, this.at.y);
    await this.page.waitForTimeout(ms);
    await this.show(ms);
  }

  async type(text: string): Promise<void> {
    for (const letters of text.match(/.{1,3}/g) ?? []) {
      await this.page.keyboard.type(letters);
      await this.show(STEP_MS);
    }
  }

  async press(key: string, ms: number): Promise<void> {
    await this.page.keyboard.press(key);
    await this.page.waitForTimeout(300);
    await this.show(ms);
  }
}

interface Styled {
  id: string;
  innerHTML: string;
  style: { cssText: string };
}

/** Runs in the page: draws the pointer, which a screenshot leaves out. */
function pointAt({ x, y }: { x: number; y: number }): void {
  const { document } = globalThis as unknown as {
    document: {
      getElementById(id: string): Styled | null;
      createElement(name: string): Styled;
      documentElement: { append(child: Styled): void };
    };
  };
  const found = document.getElementById('film-pointer');
  const pointer = found ?? document.createElement('div');
  if (!found) {
    pointer.id = 'film-pointer';
    pointer.innerHTML =
      '<svg width="22" height="22" viewBox="0 0 22 22"><path d="M3 2v15l4-4 3 6 3-1-3-6h6z" fill="#fff" stroke="#111" stroke-width="1.4"/></svg>';
    document.documentElement.append(pointer);
  }
  pointer.style.cssText = `position:fixed;left:${x - 3}px;top:${y - 2}px;z-index:99999;pointer-events:none`;
}
