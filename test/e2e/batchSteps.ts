import { labels, starting } from '../labels.ts';
import type { Program } from './program.ts';

/** Waits until what is labelled so has the focus. */
const focusedOn = (program: Program, label: RegExp | string): Promise<void> =>
  program.page.locator(':focus').and(program.page.getByLabel(label)).waitFor();

/**
 * Puts in a text of 200 lines of which 22, 92 and 152 are wrong (a length, a model, a kind), reads it, and mends it by F8 and its cures, from
 * the page that imports, by keyboard alone.
 */
export async function readAndMend(program: Program, text: string): Promise<void> {
  const { page } = program;
  const { keyboard } = page;
  await focusedOn(program, 'Lines');
  await keyboard.insertText(text);
  await program.tabTo(starting(labels.readTheLines));
  await keyboard.press('Enter');
  await page.getByText('Mend lines 22, 92 and 152, or leave them out.', { exact: false }).waitFor();
  await keyboard.press('F8');
  await focusedOn(program, '4, seconds of line 22');
  await keyboard.press('Enter');
  await page.getByText('Mend lines 92 and 152', { exact: false }).waitFor();
  await keyboard.press('F8');
  await focusedOn(program, /^video-.*, model of line 92/);
  await keyboard.press('Enter');
  await page.getByText('Mend line 152', { exact: false }).waitFor();
  await keyboard.press('F8');
  // The cell itself, written anew.
  await focusedOn(program, 'chat, kind of line 152');
  await page.getByRole('textbox', { name: 'kind of line 152' }).waitFor();
  await program.tabTo(/^kind of line 152$/);
  await keyboard.press('Control+A');
  await keyboard.type('imagine');
  await keyboard.press('Enter');
}
