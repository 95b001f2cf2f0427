import { z } from 'zod';
import { t } from '../../texts.ts';
import { chatImages } from './chatImages.ts';
import type { ImageFamily, VideoFamily } from './family.ts';
import { openaiImages } from './openaiImages.ts';
import { openaiVideos } from './openaiVideos.ts';
import { openRouterVideos } from './openRouterVideos.ts';
import { relayVideos } from './relayVideos.ts';

/**
 * The API formats beside the specification's own, which are `videoInChat` (spec 2.2) and `imageTasks` (spec 4.2 to 4.4). A new one is a
 * file here and a line in `families`, in the order in which they are tried after "no such route".
 */
export const OWN_PROTOCOLS = { video: 'videoInChat', image: 'imageTasks' } as const;

const oneOf = (kind: keyof typeof OWN_PROTOCOLS) =>
  z
    .string()
    .refine((name) => protocolNames(kind).includes(name), { error: () => t`must be ${protocolNames(kind).join(', ')}` })
    .optional();

/** Which API format serves each kind; a kind that is left out has the one that was found, or the specification's own. */
export const protocolsSchema = z.strictObject(
  { chat: z.literal('chat', t`must be 'chat'`).optional(), video: oneOf('video'), image: oneOf('image') },
  t`must be { video, image }`,
);
export type Protocols = z.infer<typeof protocolsSchema>;
export type MediaProtocols = Record<keyof typeof OWN_PROTOCOLS, string>;

/** The formats in use: what is set, else what was found, else the specification's own. */
export function protocolsOf({
  protocols,
  spoken,
}: {
  protocols?: Protocols;
  spoken?: Protocols | undefined;
}): MediaProtocols {
  return {
    video: protocols?.video ?? spoken?.video ?? OWN_PROTOCOLS.video,
    image: protocols?.image ?? spoken?.image ?? OWN_PROTOCOLS.image,
  };
}

const families: { video: VideoFamily[]; image: ImageFamily[] } = {
  video: [openaiVideos, relayVideos, openRouterVideos],
  image: [openaiImages, chatImages],
};

export const videoFamilies = (): readonly VideoFamily[] => families.video;
export const imageFamilies = (): readonly ImageFamily[] => families.image;

/** The format of that name; undefined for the specification's own. */
export const videoFamily = (name: string): VideoFamily | undefined => families.video.find((one) => one.name === name);
export const imageFamily = (name: string): ImageFamily | undefined => families.image.find((one) => one.name === name);

/** The names of the formats for a kind, the specification's own first. */
export const protocolNames = (kind: keyof typeof OWN_PROTOCOLS): string[] => [
  OWN_PROTOCOLS[kind],
  ...families[kind].map(({ name }) => name),
];

/** Adds a format for clips; the returned function removes it. */
export function registerVideoFamily(family: VideoFamily): () => void {
  families.video.push(family);
  return () => families.video.splice(families.video.indexOf(family), 1);
}

/** What a person calls a format. */
export const protocolLabel = (name: string): string =>
  videoFamily(name)?.label ??
  imageFamily(name)?.label ??
  (name === OWN_PROTOCOLS.video ? t`Video in chat` : t`Image tasks`);

export type { FormPart, ImageFamily, Match, Signs, VideoFamily } from './family.ts';
