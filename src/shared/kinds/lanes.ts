import type { ProfileLimits } from '../profileLimits.ts';

/** A lane is what shares a limit: a profile's chats, its images, its videos, and apart from them its preview video models (spec 8). */
export interface Lane {
  readonly name: string;
  /** What goes through it, in the plural. */
  readonly words: string;
  /** How many are under way at once. */
  atOnce(limits: ProfileLimits): number;
  /** How many are sent in a minute, where that is limited. */
  perMinute?(limits: ProfileLimits): number;
  /** Whom that limit is for. */
  readonly limited?: string;
}

export const chatLane: Lane = { name: 'chat', words: 'chats', atOnce: ({ chatsAtOnce }) => chatsAtOnce };
export const imageLane: Lane = { name: 'image', words: 'images', atOnce: ({ imagesAtOnce }) => imagesAtOnce };
export const videoLane: Lane = { name: 'video', words: 'videos', atOnce: ({ videosAtOnce }) => videosAtOnce };
/** Preview models may be asked ten times a minute only (spec 8). */
export const previewLane: Lane = {
  name: 'preview',
  words: 'preview videos',
  atOnce: ({ videosAtOnce }) => videosAtOnce,
  perMinute: ({ videoPerMinute }) => videoPerMinute,
  limited: 'preview models',
};
