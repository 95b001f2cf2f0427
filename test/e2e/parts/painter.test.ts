import { loadImage } from '@napi-rs/canvas';
import type { Page } from 'playwright';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { TestPages } from './browser.ts';

/** The painter in a real browser, painted on with real pointer and key events. */

interface Handles {
  document(): { strokes: { kind: string; op?: string; points?: { x: number; y: number }[] }[] };
  view(): { zoom: number; pointer?: { x: number; y: number } };
  use(patch: Record<string, unknown>): void;
  undo(): void;
  redo(): void;
  add(edit: Record<string, unknown>): void;
  prove(): Promise<{
    proof: { ok: boolean; white: number; coverage: number; width: number };
    png: number[];
  }>;
  inkAt(x: number, y: number): number;
  painter: {
    fit(): void;
    actualSize(): void;
    holdPan(held: boolean): void;
    nudge(x: number, y: number): void;
    press(): void;
    cancel(): boolean;
  };
}

let pages: TestPages;
let page: Page;

beforeAll(async () => {
  pages = await TestPages.start();
});

afterAll(() => pages?.close());

beforeEach(() => open(1000, 500));

async function open(width: number, height: number): Promise<void> {
  await page?.close();
  page = await pages.open(`painter/index.html?width=${width}&height=${height}`);
}

const run = <T>(expression: string): Promise<T> => page.evaluate(expression) as Promise<T>;
const strokes = async () => (await run<ReturnType<Handles['document']>>('handles.document()')).strokes;
const frame = () => run('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
const prove = () => run<Awaited<ReturnType<Handles['prove']>>>('handles.prove()');

async function drag(from: [number, number], to: [number, number]): Promise<void> {
  await page.mouse.move(...from);
  await page.mouse.down();
  await page.mouse.move(...to, { steps: 8 });
  await page.mouse.up();
}

test('a stroke by pointer is one edit, is shown, and gives a verified file of the picture’s size', async () => {
  await drag([200, 250], [600, 250]);
  const [stroke, ...others] = await strokes();
  expect(others).toEqual([]);
  expect(stroke).toMatchObject({ kind: 'stroke', op: 'add', radius: 20 });
  await frame();
  expect(await run('[handles.inkAt(400, 250), handles.inkAt(400, 350)]')).toEqual([255, 0]);

  const { proof, png } = await prove();
  expect(proof).toMatchObject({ ok: true, width: 1000 });
  // 400 screen pixels at 77.2 % are 518 picture pixels, 40 wide, with two half discs at the ends.
  expect(Math.abs(proof.white / (518 * 40 + Math.PI * 400) - 1)).toBeLessThan(0.01);
  const file = await loadImage(Uint8Array.from(png));
  expect([file.width, file.height]).toEqual([1000, 500]);
});

test('Ctrl erases, the eraser erases, and undo and redo work on complete gestures', async () => {
  await run("handles.use({ tool: 'rect' })");
  await drag([200, 150], [600, 350]);
  const whole = (await prove()).proof.white;
  await page.keyboard.down('Control');
  await drag([200, 150], [400, 350]);
  await page.keyboard.up('Control');
  await run("handles.use({ tool: 'eraser' })");
  await drag([500, 160], [500, 340]);
  expect((await strokes()).map(({ op }) => op)).toEqual(['add', 'subtract', 'subtract']);
  await frame();
  expect(await run('[handles.inkAt(300, 250), handles.inkAt(500, 250), handles.inkAt(560, 250)]')).toEqual([0, 0, 255]);
  const cut = (await prove()).proof.white;
  await run('handles.undo(); handles.undo()');
  expect((await prove()).proof.white).toBe(whole);
  await frame();
  expect(await run('handles.inkAt(300, 250)')).toBe(255);
  await run('handles.redo(); handles.redo()');
  expect((await prove()).proof.white).toBe(cut);
});

test('Shift-click draws a straight line from the end of the last stroke', async () => {
  await page.mouse.click(200, 200);
  await page.keyboard.down('Shift');
  await page.mouse.click(600, 300);
  await page.keyboard.up('Shift');
  const [dab, line] = await strokes();
  expect(dab?.points).toHaveLength(1);
  expect(line?.points).toHaveLength(2);
  expect(line?.points?.[0]).toEqual(dab?.points?.[0]);
});

test('the screen shows what the file contains: invert, clear, lasso, ellipse', async () => {
  await run("handles.use({ tool: 'ellipse' })");
  await drag([300, 150], [500, 350]);
  await run("handles.add({ kind: 'invert' })");
  await frame();
  expect(await run('[handles.inkAt(400, 250), handles.inkAt(100, 250), handles.inkAt(5, 5)]')).toEqual([0, 255, 0]);
  const coverage = (await prove()).proof.coverage;
  expect(coverage).toBeCloseTo(1 - (Math.PI * (100 / 0.772) ** 2) / 500_000, 2);
  await run("handles.add({ kind: 'clear' })");
  expect((await prove()).proof).toMatchObject({ ok: false, white: 0 });
  await run("handles.use({ tool: 'lasso' })");
  await page.mouse.move(300, 150);
  await page.mouse.down();
  for (const [x, y] of [
    [500, 150],
    [500, 350],
    [300, 350],
  ] as const)
    await page.mouse.move(x, y, { steps: 4 });
  await page.mouse.up();
  await frame();
  expect(await run('[handles.inkAt(400, 250), handles.inkAt(100, 250)]')).toEqual([255, 0]);
  expect((await prove()).proof.coverage).toBeCloseTo((200 / 0.772) ** 2 / 500_000, 2);
});

test('zoom keeps the point under the pointer, panning moves the picture, and a stroke is where it was drawn', async () => {
  await page.mouse.move(300, 200);
  const before = await run<{ x: number; y: number }>('handles.view().pointer');
  await page.keyboard.down('Control');
  await page.mouse.wheel(0, -600);
  await page.keyboard.up('Control');
  await page.waitForFunction('handles.view().zoom > 5');
  await page.mouse.move(301, 200);
  await page.mouse.move(300, 200);
  const after = await run<{ x: number; y: number }>('handles.view().pointer');
  expect(Math.hypot(after.x - before.x, after.y - before.y)).toBeLessThan(1);
  await run('handles.painter.holdPan(true)');
  await drag([300, 200], [400, 260]);
  await run('handles.painter.holdPan(false)');
  expect(await strokes()).toEqual([]);
  await page.mouse.click(400, 260);
  const [dab] = await strokes();
  expect(Math.hypot((dab?.points?.[0]?.x ?? 0) - before.x, (dab?.points?.[0]?.y ?? 0) - before.y)).toBeLessThan(1);
});

test('a mask can be painted by keys alone, and Escape drops an unfinished stroke', async () => {
  await run('handles.painter.nudge(0, 0); handles.painter.press(); handles.painter.nudge(100, 0)');
  expect(await run('handles.painter.cancel()')).toBe(true);
  expect(await strokes()).toEqual([]);
  await run('handles.painter.press(); handles.painter.nudge(0, 100); handles.painter.press()');
  const [stroke] = await strokes();
  expect(stroke?.points).toHaveLength(2);
  expect(await run('handles.painter.cancel()')).toBe(false);
});

test('a chosen shape is resized by its handles, each drag as one step, and the file follows', async () => {
  await run("handles.use({ tool: 'polygon' })");
  for (const [x, y] of [
    [200, 100],
    [400, 100],
    [400, 300],
    [200, 300],
    [200, 100],
  ] as const)
    await page.mouse.click(x, y);
  const before = (await prove()).proof.white;
  await run("handles.use({ tool: 'select' })");
  await page.mouse.click(300, 200);
  await drag([400, 300], [500, 300]);
  expect((await strokes()).map(({ kind }) => kind)).toEqual(['area', 'change']);
  await frame();
  expect(await run('[handles.inkAt(480, 200), handles.inkAt(520, 200)]')).toEqual([255, 0]);
  expect((await prove()).proof.white / before).toBeCloseTo(1.5, 1);
  await page.keyboard.down('Shift');
  await drag([200, 100], [350, 100]);
  await page.keyboard.up('Shift');
  await run('handles.undo()');
  expect((await prove()).proof.white / before).toBeCloseTo(1.5, 1);
});

test('a grown mask is shown once computed, with what was painted meanwhile, and no longer once it is undone', async () => {
  await page.mouse.click(300, 200);
  const inks = () => run<number[]>('[handles.inkAt(330, 200), handles.inkAt(620, 410)]');
  const rect = "{ kind: 'rect', op: 'add', x: 760, y: 430, width: 60, height: 60 }";
  await run(`handles.add({ kind: 'grow', by: 40 }); handles.add(${rect})`);
  await frame();
  await expect.poll(inks).toEqual([255, 255]);
  // The worker answers in order, so its pixels have arrived once the proof has.
  await run('handles.undo(); handles.undo(); handles.add({ kind: "grow", by: 41 }); handles.undo()');
  await prove();
  await frame();
  expect(await inks()).toEqual([0, 0]);
  await run("handles.add({ kind: 'grow', by: 41 })");
  await frame();
  await run('handles.undo()');
  await prove();
  await frame();
  expect(await inks()).toEqual([0, 0]);
});

test('the mask of a picture of 4096 by 4096 is painted and verified in full size', async () => {
  await open(4096, 4096);
  await run('handles.use({ brush: 400 })');
  await drag([200, 100], [600, 400]);
  const { proof, png } = await prove();
  expect(proof).toMatchObject({ ok: true, width: 4096 });
  expect(png.length).toBeLessThan(100_000);
});
