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
import { type ComponentType, type LazyExoticComponent, lazy } from 'react';
import type { KeyActionId } from './keys/actions.ts';
import type { PageId } from './route.ts';

export interface PageEntry {
  id: PageId;
  /** In the rail. */
  label: string;
  icon: LucideIcon;
  action: KeyActionId;
  Page: LazyExoticComponent<ComponentType>;
}

/** The registry: a page plugs in by exporting its component from its folder's `index.tsx`; its code is loaded when it is opened. */
const page = (
  id: PageId,
  label: string,
  icon: LucideIcon,
  load: () => Promise<{ default: ComponentType }>,
): PageEntry => ({ id, label, icon, action: `page.${id}`, Page: lazy(load) });

export const PAGES: readonly PageEntry[] = [
  page('chat', 'Chat', MessageSquare, async () => ({ default: (await import('../features/chat/index.tsx')).ChatPage })),
  page('storyboard', 'Board', Clapperboard, async () => ({
    default: (await import('../features/storyboard/index.tsx')).StoryboardPage,
  })),
  page('images', 'Images', ImageIcon, async () => ({
    default: (await import('../features/images/index.tsx')).ImagesPage,
  })),
  page('queue', 'Queue', ListOrdered, async () => ({
    default: (await import('../features/queue/index.tsx')).QueuePage,
  })),
  page('library', 'Library', LayoutGrid, async () => ({
    default: (await import('../features/library/index.tsx')).LibraryPage,
  })),
  page('spend', 'Spend', Receipt, async () => ({ default: (await import('../features/spend/index.tsx')).SpendPage })),
  page('settings', 'Settings', Settings2, async () => ({
    default: (await import('../features/settings/index.tsx')).SettingsPage,
  })),
];
