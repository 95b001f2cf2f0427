import type { Settings } from '../../../shared/contract/settings.ts';
import { t } from '../../../shared/text/texts.ts';
import { focusNextPage } from '../pageFocus.ts';
import { showRefusal } from '../refusals.ts';
import { navigate, type PageId } from '../route.ts';
import { askForBundle } from '../state/openBundle.ts';
import { openSample, saveSettings } from '../state/studio.ts';
import { PLACES, under } from './places.ts';

const everywhere = under('everywhere', ...PLACES);

const goTo = (page: PageId) => () => {
  focusNextPage();
  navigate(page);
};
const goToSettings = (section: string, tab?: string) => () => navigate('settings', { section, ...(tab && { tab }) });

const wear = (theme: Settings['theme']) => async () => {
  const answer = await saveSettings({ theme });
  if (!answer.ok) showRefusal(answer.error);
};

async function openTheSample(): Promise<void> {
  const answer = await openSample();
  if (answer.ok) navigate('storyboard');
  else showRefusal(answer.error);
}

export const EVERYWHERE = {
  'palette.open': everywhere(t`Find or run anything`, 'Mod+K', { keyOnly: true }),
  'page.storyboard': everywhere(t`Board`, 'Alt+1', { words: 'storyboard film shots', run: goTo('storyboard') }),
  'page.chat': everywhere(t`Chat`, 'Alt+2', { run: goTo('chat') }),
  'page.images': everywhere(t`Images`, 'Alt+3', { words: 'pictures', run: goTo('images') }),
  'page.queue': everywhere(t`Queue`, 'Alt+4', { words: 'jobs', run: goTo('queue') }),
  'page.review': everywhere(t`Review`, 'Alt+5', { words: 'rate compare takes night', run: goTo('review') }),
  'page.library': everywhere(t`Library`, 'Alt+6', { words: 'files', run: goTo('library') }),
  'page.spend': everywhere(t`Spend`, 'Alt+7', { words: 'money cost', run: goTo('spend') }),
  'page.settings': everywhere(t`Settings`, 'Alt+8', { words: 'preferences options', run: goTo('settings') }),
  'page.help': everywhere(t`Help`, 'F1', { words: 'guide manual how' }),
  'page.helpToo': everywhere(t`Help`, '?', { keyOnly: true }),
  'panel.next': everywhere(t`Next panel`, 'F6', { run: () => cyclePanels(1), keyOnly: true }),
  'panel.previous': everywhere(t`Previous panel`, 'Shift+F6', { run: () => cyclePanels(-1), keyOnly: true }),
  /**
   * Presses the focused button if it spends, else the main button of the page. No other key spends: a key of an action with a price only
   * moves to its button.
   */
  'spend.go': everywhere(t`Press the paid button`, 'Mod+Enter', { keyOnly: true }),
  /** The main button of a page or part of a page, with its own label. */
  'spend.offered': everywhere(t`Send`),
  'page.leave': everywhere(t`Leave, or stop`, 'Escape', { keyOnly: true }),
  'project.new': everywhere(t`New project`, undefined, { words: 'film create' }),
  'project.rename': everywhere(t`Rename the project`),
  'project.duplicate': everywhere(t`Duplicate the project`, undefined, { words: 'copy' }),
  'project.remove': everywhere(t`Remove the project`, undefined, { words: 'delete' }),
  'project.bundle': everywhere(t`Open a bundle`, undefined, { words: 'dailies file import zip', run: askForBundle }),
  'project.sample': everywhere(t`Open the sample film`, undefined, { words: 'demo example help', run: openTheSample }),
  'theme.dark': everywhere(t`Dark theme`, undefined, { words: 'appearance colours mode', run: wear('dark') }),
  'theme.light': everywhere(t`Light theme`, undefined, { words: 'appearance colours mode', run: wear('light') }),
  'theme.system': everywhere(t`System theme`, undefined, { words: 'appearance auto', run: wear('system') }),
};

export const SETTINGS_SECTIONS = {
  'settings.gateways': everywhere(t`Gateways`, undefined, {
    words: 'profile api key token account connection url',
    run: goToSettings('gateways'),
  }),
  'settings.doctor': everywhere(t`Check connection`, undefined, { words: 'doctor', run: goToSettings('gateways') }),
  'settings.models': everywhere(t`Models and prices`, undefined, { run: goToSettings('gateways', 'models') }),
  'settings.folder': everywhere(t`Library folder`, undefined, { words: 'disk move', run: goToSettings('folder') }),
  'settings.backups': everywhere(t`Backups`, undefined, { words: 'restore copy', run: goToSettings('backups') }),
  'settings.computer': everywhere(t`This computer`, undefined, {
    words: 'update awake mcp command line',
    run: goToSettings('computer'),
  }),
  'settings.appearance': everywhere(t`Appearance`, undefined, { words: 'language', run: goToSettings('appearance') }),
  'settings.shortcuts': everywhere(t`Keyboard shortcuts`, undefined, { words: 'help', run: goToSettings('shortcuts') }),
  'settings.diagnostics': everywhere(t`Diagnostics`, undefined, {
    words: 'help log',
    run: goToSettings('diagnostics'),
  }),
  'settings.about': everywhere(t`About Dailies`, undefined, { words: 'help version', run: goToSettings('about') }),
};

/** F6 cycles through the panels: top bar, rail, the page's panels, status line, and notices if there are any. */

/** Elements in the Tab order. Of a group such as tabs only one is: focusing another would select it. */
const TABBABLE =
  ':is(a[href], button:not([disabled]), input:not([disabled]), textarea:not([disabled]), select:not([disabled]), [tabindex="0"]):not([tabindex="-1"])';

const visible = (element: Element): boolean => element.getBoundingClientRect().height > 0;

function cyclePanels(step: 1 | -1): void {
  const panels = [...document.querySelectorAll<HTMLElement>('[data-panel]')].filter(visible);
  if (panels.length === 0) return;
  const active = document.activeElement;
  // Panels may be nested: the innermost one has the focus.
  const at = panels.findLastIndex((panel) => panel.contains(active));
  const next = panels[(at + step + panels.length) % panels.length];
  const inside = [...(next?.querySelectorAll<HTMLElement>(TABBABLE) ?? [])].find(visible);
  (inside ?? next)?.focus();
}
