import { t } from '../../../shared/texts.ts';
import type { PageId } from '../route.ts';

/** Where an action can be done: a page, a view that takes the place of one, or a tab of the board. */
export const PLACES = [
  ...(['chat', 'painter', 'viewer', 'library', 'settings', 'spend', 'evidence'] as const),
  ...(['board', 'cast', 'sound', 'seams', 'shotList', 'export'] as const),
  ...(['queue', 'batch', 'prices', 'night', 'run', 'review', 'pictures'] as const),
] as const;

export type Place = (typeof PLACES)[number];

/** Headings of the shortcuts, each with the page that its actions are on. */
export const GROUPS = {
  everywhere: { title: t`Everywhere`, page: undefined },
  chat: { title: t`Chat`, page: 'chat' },
  board: { title: t`Board`, page: 'storyboard' },
  sound: { title: t`Sound and subtitles`, page: 'storyboard' },
  seams: { title: t`Continuity check`, page: 'storyboard' },
  painter: { title: t`Painter`, page: 'images' },
  queue: { title: t`Queue`, page: 'queue' },
  review: { title: t`Review`, page: 'review' },
  player: { title: t`Player of one file`, page: 'library' },
  import: { title: t`Import tables`, page: 'queue' },
  evidence: { title: t`Job records`, page: 'spend' },
  night: { title: t`Overnight run`, page: 'queue' },
  prices: { title: t`A price that does not agree`, page: 'queue' },
  library: { title: t`Library`, page: 'library' },
  spend: { title: t`Spend`, page: 'spend' },
  settings: { title: t`Settings`, page: 'settings' },
} as const satisfies Record<string, { title: string; page: PageId | undefined }>;

export type Group = keyof typeof GROUPS;

/** What most actions do without. */
interface ActionOptions {
  /** Other words that it is found by. */
  words?: string;
  /** It goes on while its key is held. Every other one is done once: a held key would do the like to one thing after another. */
  repeats?: true;
  /** Only its key does it: in the palette its label would mean nothing. */
  keyOnly?: true;
  /** What it does wherever the palette runs it, and by its key where no part of the page has a `run` of its own. */
  run?: () => void;
}

export interface Action extends ActionOptions {
  label: string;
  /** As delivered: `Mod+Shift+K`. The same keys may serve several actions that can never be done at one place. */
  keys?: string | undefined;
  group: Group;
  when: readonly Place[];
}

/** The actions under a heading that can be done at these places, and each at others of its own. */
export const under =
  (group: Group, ...places: Place[]) =>
  (label: string, keys?: string, { also = [], ...options }: ActionOptions & { also?: Place[] } = {}): Action => ({
    label,
    keys,
    group,
    when: [...places, ...also],
    ...options,
  });
