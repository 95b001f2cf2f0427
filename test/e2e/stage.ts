import type { Page } from 'playwright';
import { visit } from '../helpers/browser.ts';
import { PATIENCE_MS } from '../helpers/patience.ts';
import { labels } from '../labels.ts';
import { type Filled, fillStudio } from './filledStudio.ts';
import { OddGateway } from './oddGateway.ts';
import { Program } from './program.ts';

/** A studio with content, and the ways to its places. */

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

export type Open = () => Promise<unknown>;
type Name = string | RegExp;

export const go = (hash: string) =>
  visit(
    program.page,
    hash
      .replace('ASSET', filled.assetId)
      .replace('CHAT', filled.conversationId)
      .replace('LINKED', filled.linkedId)
      .replace('DRAFTS', filled.draftsId),
  );

/** A step to a place: an action and its result. */
export const key = (chord: string) => () => program.page.keyboard.press(chord);
export const type = (text: string) => () => program.page.keyboard.type(text);
export const fill = (name: string, text: string) => () =>
  program.page.getByRole('textbox', { name, exact: true }).fill(text);
const click = (role: 'button' | 'option' | 'menuitem' | 'tab' | 'link' | 'radio') => (name: Name) => () =>
  program.page.getByRole(role, { name }).first().click();
export const [button, option, menuitem] = [click('button'), click('option'), click('menuitem')];
export const [tab, link, radio] = [click('tab'), click('link'), click('radio')];
export const row = (text: string) => () => program.page.getByRole('option', { name: text }).first().click();
export const see = (text: Name) => () => program.page.getByText(text).first().waitFor();
export const seeRole = (role: Parameters<Page['getByRole']>[0], name: Name) => () =>
  program.page.getByRole(role, { name }).first().waitFor();
export const seePart = (selector: string) => () => program.page.locator(selector).first().waitFor();
export const dialog: Open = () => program.page.getByRole('dialog').waitFor();
/** Excludes toasts, which have the same role. */
export const modal = seePart('.dlg');
export const menu: Open = () => program.page.getByRole('menu').waitFor();
export const list: Open = () => program.page.getByRole('listbox', { name: '' }).last().waitFor();
export const plan: Open = async () => {
  await program.page.getByRole('complementary', { name: labels.plan, exact: true }).waitFor();
  // Wait for the dry run: before it the page is incomplete.
  await see(/^Dry run of /)();
};
export const asTable: Open = async () => {
  await radio(labels.table)();
  await program.page.getByRole('grid').getByRole('row').nth(1).waitFor();
};
export const chosen = seeRole('region', labels.selection);
export const leave = key('Escape');
export const leaveTwice: Open = () => leave().then(leave);
export const reload: Open = () => program.page.reload();

export const opened =
  (hash: string, ...actions: Open[]): Open =>
  async () => {
    await go(hash);
    for (const action of actions) await action();
  };
const as = (id: string) => program.host.ask('profiles.activate', { id });
export const asOdd =
  (hash: string, ...actions: Open[]): Open =>
  async () => {
    await as('odd');
    await opened(hash, ...actions)();
  };
export const backToSandbox: Open = () => leave().then(() => as('sandbox'));
