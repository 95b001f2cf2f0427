import type { ProfileLimits } from '../gateway/profileLimits.ts';
import { t } from '../text/texts.ts';

/**
 * A lane is a group of requests that share a limit: a profile's chats, its images, its videos and, separately, its preview video models
 * (spec 8).
 */
export interface Lane {
  readonly name: string;
  /** Its requests, as a plural noun. */
  readonly words: string;
  /** The most requests at once. */
  atOnce(limits: ProfileLimits): number;
  /** The most requests per minute, if that is limited. */
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
