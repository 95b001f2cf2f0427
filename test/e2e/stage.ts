import { visit } from '../helpers/browser.ts';
import { PATIENCE_MS } from '../helpers/patience.ts';
import { labels } from '../labels.ts';
import { type Filled, fillStudio } from './filledStudio.ts';
import { OddGateway } from './oddGateway.ts';
import { Program } from './program.ts';

/** A studio with content, and how its places are opened. */

export let program: Program;
let odd: OddGateway;
let filled: Filled;

export async function startFilled(): Promise<void> {
  [program, odd] = await Promise.all([Program.start(), OddGateway.start()]);
  await program.page.close();
  const context = await program.browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' });
  context.setDefaultTimeout(PATIENCE_MS);
  program.page = await context.newPage();
  await program.page.goto(program.host.url);
  filled = await fillStudio(program.host, odd);
}

export async function stopFilled(): Promise<void> {
  await program?.stop();
  await odd?.stop();
}

export const press = (chord: string) => program.page.keyboard.press(chord);
export const go = (hash: string) =>
  visit(
    program.page,
    hash
      .replace('MISMATCH', filled.mismatchId)
      .replace('ASSET', filled.assetId)
      .replace('CHAT', filled.conversationId)
      .replace('LINKED', filled.linkedId)
      .replace('DRAFTS', filled.draftsId),
  );

export const click = (role: 'button' | 'option' | 'menuitem' | 'tab', name: string | RegExp) =>
  program.page.getByRole(role, { name }).first().click();
export const dialog = () => program.page.getByRole('dialog').waitFor();
export const plan = async () => {
  await program.page.getByRole('complementary', { name: labels.plan, exact: true }).waitFor();
  // The dry run has answered: what stands before it is not the page.
  await program.page.getByText(/^Dry run of /).waitFor();
};

export type Open = () => Promise<unknown>;
export const leave: Open = () => press('Escape');
export const row = (text: string) => program.page.locator('.qrow', { hasText: text }).first().click();
const as = (id: string) => program.host.ask('profiles.activate', { id });
export const asOdd = (hash: string, then?: Open) => async () => {
  await as('odd');
  await go(hash);
  await then?.();
};
export const backToSandbox: Open = () => press('Escape').then(() => as('sandbox'));
export const opened =
  (hash: string, ...actions: Open[]): Open =>
  async () => {
    await go(hash);
    for (const action of actions) await action();
  };
export const menu = () => program.page.getByRole('menu').waitFor();
export const list = () => program.page.getByRole('listbox', { name: '' }).last().waitFor();
export const asTable = async () => {
  await program.page.getByRole('radio', { name: labels.table }).click();
  await program.page.getByRole('grid').getByRole('row').nth(1).waitFor();
};
export const chosen = () => program.page.getByRole('region', { name: labels.chosen }).waitFor();
export const profile = (name: string) => () => program.page.getByRole('tab', { name }).click();
