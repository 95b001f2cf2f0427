import { t } from '../../../shared/text/texts.ts';
import type { PageId } from '../route.ts';

/** Places where actions are available: a page, a view in place of one, or a tab of the board. */
export const PLACES = [
  ...(['chat', 'painter', 'viewer', 'library', 'settings', 'spend', 'evidence', 'help'] as const),
  ...(['board', 'cast', 'sound', 'seams', 'shotList', 'export'] as const),
  ...(['queue', 'batch', 'night', 'run', 'review', 'pictures'] as const),
] as const;

export type Place = (typeof PLACES)[number];

/** Headings of the shortcuts, each with the page of its actions. */
export const GROUPS = {
  everywhere: { title: t`Everywhere`, page: undefined },
  chat: { title: t`Chat`, page: 'chat' },
  board: { title: t`Board`, page: 'storyboard' },
  sound: { title: t`Sound and subtitles`, page: 'storyboard' },
  seams: { title: t`Continuity check`, page: 'storyboard' },
  painter: { title: t`Mask editor`, page: 'images' },
  queue: { title: t`Queue`, page: 'queue' },
  review: { title: t`Review`, page: 'review' },
  player: { title: t`Player of one file`, page: 'library' },
  import: { title: t`Import tables`, page: 'queue' },
  evidence: { title: t`Job records`, page: 'spend' },
  night: { title: t`Overnight run`, page: 'queue' },
  library: { title: t`Library`, page: 'library' },
  spend: { title: t`Spend`, page: 'spend' },
  settings: { title: t`Settings`, page: 'settings' },
} as const satisfies Record<string, { title: string; page: PageId | undefined }>;

export type Group = keyof typeof GROUPS;

/** Options of an action. */
interface ActionOptions {
  /** More search words for the palette. */
  words?: string;
  /** Repeats while its key is held. Other actions run once per press: a held key would run through item after item. */
  repeats?: true;
  /** Not in the palette, where its label would make no sense. */
  keyOnly?: true;
  /** Runs if no part of the page provides a `run`. */
  run?: () => void;
}

export interface Action extends ActionOptions {
  label: string;
  /** Default keys: `Mod+Shift+K`. Actions whose places never overlap may share keys. */
  keys?: string | undefined;
  group: Group;
  when: readonly Place[];
}

/** Makes actions of one heading, available at these places and at those in `also`. */
export const under =
  (group: Group, ...places: Place[]) =>
  (label: string, keys?: string, { also = [], ...options }: ActionOptions & { also?: Place[] } = {}): Action => ({
    label,
    keys,
    group,
    when: [...places, ...also],
    ...options,
  });
