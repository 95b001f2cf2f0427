import { z } from 'zod';
import { t } from '../../text/texts.ts';
import { type Medium, OWN_PROTOCOLS } from '../protocols.ts';
import { chatImages } from './chatImages.ts';
import type { ImageFamily, VideoFamily } from './family.ts';
import { openaiImages } from './openaiImages.ts';
import { openaiVideos } from './openaiVideos.ts';
import { openRouterVideos } from './openRouterVideos.ts';
import { relayVideos } from './relayVideos.ts';

/**
 * The API formats besides the specification's own, in the order in which they are tried after "no such route". A new one is a file here and
 * an entry in this list.
 */
const families: { video: VideoFamily[]; image: ImageFamily[] } = {
  video: [openaiVideos, relayVideos, openRouterVideos],
  image: [openaiImages, chatImages],
};

export const videoFamilies = (): readonly VideoFamily[] => families.video;
export const imageFamilies = (): readonly ImageFamily[] => families.image;

/** Undefined for the specification's own format. */
export const videoFamily = (name: string): VideoFamily | undefined => families.video.find((one) => one.name === name);
export const imageFamily = (name: string): ImageFamily | undefined => families.image.find((one) => one.name === name);

/** The formats of a medium, the specification's own first. */
export const protocolNames = (medium: Medium): string[] => [
  OWN_PROTOCOLS[medium],
  ...families[medium].map(({ name }) => name),
];

export function registerVideoFamily(family: VideoFamily): () => void {
  families.video.push(family);
  return () => families.video.splice(families.video.indexOf(family), 1);
}

export function protocolLabel(name: string): string {
  const own = name === OWN_PROTOCOLS.video ? t`Video in chat` : t`Image tasks`;
  return videoFamily(name)?.label ?? imageFamily(name)?.label ?? own;
}

const nameOf = (medium: Medium) =>
  z
    .string()
    .refine((name) => protocolNames(medium).includes(name), {
      error: () => `must be ${protocolNames(medium).join(', ')}`,
    })
    .optional();

export const protocolsSchema = z.strictObject({
  chat: z.literal('chat').optional(),
  video: nameOf('video'),
  image: nameOf('image'),
});
