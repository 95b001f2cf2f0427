import {
  Clapperboard,
  Image as ImageIcon,
  LayoutGrid,
  ListOrdered,
  type LucideIcon,
  MessageSquare,
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

/** The registry: a page plugs in by exporting its component from its folder's `index.ts`; its code is loaded when it is opened. */
const page = (id: PageId, icon: LucideIcon, load: () => Promise<{ default: ComponentType }>): PageEntry => ({
  id,
  label: ACTIONS[`page.${id}`].label,
  icon,
  action: `page.${id}`,
  Page: lazyPage(load),
});

export const PAGES: readonly PageEntry[] = [
  page('chat', MessageSquare, async () => ({ default: (await import('../features/chat/index.ts')).ChatPage })),
  page('storyboard', Clapperboard, async () => ({
    default: (await import('../features/storyboard/index.ts')).StoryboardPage,
  })),
  page('images', ImageIcon, async () => ({
    default: (await import('../features/images/index.ts')).ImagesPage,
  })),
  page('queue', ListOrdered, async () => ({
    default: (await import('../features/queue/index.ts')).QueuePage,
  })),
  page('library', LayoutGrid, async () => ({
    default: (await import('../features/library/index.ts')).LibraryPage,
  })),
  page('spend', Receipt, async () => ({ default: (await import('../features/spend/index.ts')).SpendPage })),
  page('settings', Settings2, async () => ({
    default: (await import('../features/settings/index.ts')).SettingsPage,
  })),
];

/** New takes of a night are judged with the parts of the board; their address is the night's, which is a part of the queue. */
const JUDGE = lazyPage(async () => ({ default: (await import('../features/storyboard/index.ts')).JudgePage }));

const isJudging = ({ page, part, params }: Route): boolean =>
  page === 'queue' && part === 'night' && params.get('state') === 'judge';

/** What a route shows. */
export function pageOf(route: Route): PageEntry | undefined {
  const entry = PAGES.find(({ id }) => id === route.page) ?? PAGES[0];
  return entry && isJudging(route) ? { ...entry, Page: JUDGE } : entry;
}
