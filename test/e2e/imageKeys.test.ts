import { afterAll, beforeAll, expect, test } from 'vitest';
import type { EditRequest } from '../../src/shared/kinds/edit.ts';
import { Program } from './program.ts';

/** From a prompt to a sent edit and its result with the keyboard alone: no test here moves the mouse. */

let program: Program;
beforeAll(async () => {
  program = await Program.start();
});
afterAll(async () => {
  await program?.stop();
});

const press = async (...keys: string[]): Promise<void> => {
  for (const key of keys) await program.page.keyboard.press(key);
};

test('a picture is imagined, and its mask painted by the arrows and Enter', async () => {
  const { page } = program;
  await page.getByRole('button', { name: 'Start in the sandbox' }).waitFor();
  await program.tabTo(/^Start in the sandbox/);
  await press('Enter');
  await page.getByRole('navigation', { name: 'Pages' }).waitFor();
  await press('Alt+3');
  await page.getByText('No picture yet').waitFor();
  await program.tabTo(/^Prompt$/);
  await page.keyboard.type('A ferry quay at night, rain --ar 16:9');
  await program.canSend(/^Imagine/);
  await program.made('imagine', () => press('Control+Enter'));
  await page.getByRole('button', { name: 'Paint a mask and edit' }).waitFor();
  await program.tabTo(/^Paint a mask and edit/);
  await press('Enter');
  const painter = page.getByRole('application', { name: /^Mask over the picture/ });
  await painter.waitFor();
  await page.getByText('Arrows move, Enter paints and lifts, Esc drops').waitFor();
  await press('Enter', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowDown', 'Enter');
  await page.getByText('Stroke 1 of 1').waitFor();
  await press('ArrowLeft', 'Enter', 'ArrowUp', 'Escape');
  await page.getByText('Stroke 1 of 1').waitFor();
  await page.getByText('Ready to send').waitFor();
});

test('a polygon is placed corner by corner, one is taken back, and the history leads to any step', async () => {
  const { page } = program;
  const right = Array.from({ length: 8 }, () => 'ArrowRight');
  const down = Array.from({ length: 8 }, () => 'ArrowDown');
  await press('u', 'u', 'u');
  await page.getByRole('button', { name: /^Polygon/, pressed: true }).waitFor();
  await press('Enter', ...right, 'Enter', ...down, 'Enter', ...right, 'Enter', 'Backspace');
  await page.getByText('Stroke 1 of 1').waitFor();
  // Back to the corner before the one that was taken back: there it is closed.
  await press(...right.map(() => 'ArrowLeft'), 'Enter');
  await page.getByText('Stroke 2 of 2').waitFor();
  await page.getByRole('button', { name: 'Outline, add 3 corners' }).waitFor();
  await program.tabTo(/^Empty mask/);
  await program.tabTo(/^Brush/);
  await press('Enter');
  await page.getByText('Stroke 1 of 2').waitFor();
  await program.tabTo(/^Outline, add/);
  await press('Enter');
  await page.getByText('Stroke 2 of 2').waitFor();
  await page.getByText('Ready to send').waitFor();
});

test('the mask is grown and shrunk by so many pixels, and the proof counts them', async () => {
  const { page } = program;
  const white = async () => {
    await page.getByText('Ready to send').waitFor();
    const [said = ''] = (await page.getByText(/ pixels white$/).allTextContents()).map((text) =>
      text.replace(/\D/g, ''),
    );
    return Number(said);
  };
  const before = await white();
  const by = async (pixels: string, label: string) => {
    await press('g');
    const field = page.getByRole('dialog', { name: 'Grow and shrink' }).getByRole('textbox', { name: /^Pixels/ });
    await field.waitFor();
    await field.focus();
    await press('Control+a');
    await page.keyboard.type(pixels);
    await press('Enter');
    await page.getByRole('button', { name: label }).waitFor();
  };
  await by('4', 'Grow by 4 px whole mask');
  await expect.poll(white).toBeGreaterThan(before);
  const grown = await white();
  await by('-2', 'Shrink by 2 px whole mask');
  await expect.poll(white).toBeLessThan(grown);
  await press('Control+z', 'Control+z');
  await expect.poll(white).toBe(before);
});

test('a shape is chosen by Tab, moved by arrows, given figures and removed, each a step that can be undone', async () => {
  const { page } = program;
  await page.getByRole('application', { name: /^Mask over the picture/ }).focus();
  await press('v');
  await page.getByRole('button', { name: /^Select and move/, pressed: true }).waitFor();
  await press('Tab', 'Tab');
  const x = page.getByRole('textbox', { name: 'x', exact: true });
  await page.getByText('2 of 2', { exact: true }).first().waitFor();
  const before = Number(await x.inputValue());
  await press('ArrowRight', 'ArrowRight', 'Shift+ArrowRight');
  await expect.poll(async () => Number(await x.inputValue())).toBe(before + 12);
  await page.getByRole('button', { name: /^Change: Outline, add/ }).waitFor();
  await page.getByText('Stroke 3 of 3').waitFor();
  await press('Delete');
  await page.getByRole('button', { name: /^Remove shape/ }).waitFor();
  await press('Control+z', 'Control+z');
  await page.getByText('Stroke 2 of 4').waitFor();
  await expect.poll(async () => Number(await x.inputValue())).toBe(before);
  await press('Tab');
  expect(await page.evaluate('document.activeElement?.getAttribute("role")')).not.toBe('application');
  await press('b');
});

test('the edit is sent, and the page leads to its result with the picture before it', async () => {
  const { page } = program;
  await program.tabTo(/^Prompt of the edit/);
  await page.keyboard.type('An old bicycle');
  await page.getByText('Ready to send').waitFor();
  await program.canSend(/^Send edit/);
  const job = await program.made('edit', () => press('Control+Enter'));
  expect(job.state).toBe('succeeded');
  expect(job.request as EditRequest).toMatchObject({ prompt: 'An old bicycle' });
  await page.getByText('The edit is made', { exact: true }).waitFor();
  await program.tabTo(/^See it/);
  await press('Enter');
  const slider = page.getByRole('slider', { name: 'Before and after' });
  await slider.waitFor();
  await program.tabTo(/^Before and after/);
  await press('End');
  expect(await slider.getAttribute('aria-valuenow')).toBe('100');
});

test('F6 goes round every panel of the page, and back to where it began', async () => {
  const { page } = program;
  const names: string[] = [];
  for (let step = 0; step < 12; step++) {
    await press('F6');
    names.push(
      await page.evaluate(() => {
        const { document } = globalThis as unknown as { document: { activeElement: Inside } };
        const panel = document.activeElement.closest('[data-panel]');
        return panel?.getAttribute('aria-label') ?? panel?.className ?? 'nowhere';
      }),
    );
  }
  // The focus cycle returns to its start, and skips nothing.
  const round = names.slice(0, names.indexOf(names[0] ?? '', 1));
  expect(round).toEqual(expect.arrayContaining(['top', 'Pages', 'Prompt', 'Viewer', 'Picture', 'status']));
  expect(new Set(round).size).toBe(round.length);
});
interface Inside {
  closest(selector: string): { getAttribute(name: string): string | null; className: string } | null;
}

test('the page had nothing to complain about', () => {
  expect(program.complaints).toEqual([]);
});
