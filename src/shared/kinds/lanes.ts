import type { ProfileLimits } from '../gateway/profileLimits.ts';
import { t } from '../text/texts.ts';

/** Requests that share a limit: a profile's chats, images, videos, and preview videos (spec 8). */
export interface Lane {
  readonly name: string;
  /** Its requests as a plural noun. */
  readonly words: string;
  /** The most parallel requests. */
  atOnce(limits: ProfileLimits): number;
  /** The most requests per minute, if limited. */
  perMinute?(limits: ProfileLimits): number;
}

export const chatLane: Lane = { name: 'chat', words: t`Chats`, atOnce: ({ chatsAtOnce }) => chatsAtOnce };
export const imageLane: Lane = { name: 'image', words: t`Images`, atOnce: ({ imagesAtOnce }) => imagesAtOnce };
export const videoLane: Lane = { name: 'video', words: t`Videos`, atOnce: ({ videosAtOnce }) => videosAtOnce };
/** Preview models accept only ten requests a minute (spec 8). */
export const previewLane: Lane = {
  name: 'preview',
  words: t`Preview videos`,
  atOnce: ({ videosAtOnce }) => videosAtOnce,
  perMinute: ({ videoPerMinute }) => videoPerMinute,
};
