import {
  CircleQuestionMark,
  Clapperboard,
  Image as ImageIcon,
  LayoutGrid,
  ListOrdered,
  type LucideIcon,
  MessageSquare,
  MonitorPlay,
  Receipt,
  Settings2,
} from 'lucide-react';
import type { ComponentType, LazyExoticComponent } from 'react';
import { ACTIONS } from './keys/actions.ts';
import { lazyPage } from './lazyPage.ts';
import type { PageId, Route } from './route.ts';

export interface PageEntry {
  id: PageId;
  /** In the rail. */
  label: string;
  icon: LucideIcon;
  action: `page.${PageId}`;
  Page: LazyExoticComponent<ComponentType>;
}

/** The registry, in the order of the rail: a page plugs in by exporting its component from its folder's `index.ts`; its code is loaded when it is opened. */
const page = (id: PageId, icon: LucideIcon, load: () => Promise<ComponentType>): PageEntry => ({
  id,
  label: ACTIONS[`page.${id}`].label,
  icon,
  action: `page.${id}`,
  Page: lazyPage(async () => ({ default: await load() })),
});

export const PAGES: readonly PageEntry[] = [
  page('storyboard', Clapperboard, async () => (await import('../features/storyboard/index.ts')).StoryboardPage),
  page('chat', MessageSquare, async () => (await import('../features/chat/index.ts')).ChatPage),
  page('images', ImageIcon, async () => (await import('../features/images/index.ts')).ImagesPage),
  page('queue', ListOrdered, async () => (await import('../features/queue/index.ts')).QueuePage),
  page('review', MonitorPlay, async () => (await import('../features/review/index.ts')).ReviewPage),
  page('library', LayoutGrid, async () => (await import('../features/library/index.ts')).LibraryPage),
  page('spend', Receipt, async () => (await import('../features/spend/index.ts')).SpendPage),
  page('settings', Settings2, async () => (await import('../features/settings/index.ts')).SettingsPage),
  page('help', CircleQuestionMark, async () => (await import('../features/help/index.ts')).HelpPage),
];

/** Help is opened from where one is, and goes back there. */
export const RAIL = PAGES.filter(({ id }) => id !== 'help');

/** What a route shows. */
export const pageOf = (route: Route): PageEntry | undefined => PAGES.find(({ id }) => id === route.page) ?? PAGES[0];
