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
  label: string;
  icon: LucideIcon;
  action: `page.${PageId}`;
  Page: LazyExoticComponent<ComponentType>;
}

/** The pages in the order of the rail. A page exports its component from its folder's `index.ts`; its code is loaded when it is opened. */
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

/** Help is not in the rail: it opens from any page and returns there. */
export const RAIL = PAGES.filter(({ id }) => id !== 'help');

/** The page of a route. */
export const pageOf = (route: Route): PageEntry | undefined => PAGES.find(({ id }) => id === route.page) ?? PAGES[0];
