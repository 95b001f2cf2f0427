import { readFile } from 'node:fs/promises';
import type { EditForm } from '../../../../shared/wire/image.ts';
import type { VideoForm } from '../../../../shared/wire/video.ts';
import type { EditSubmitRequest, VideoSubmitRequest, WireMedia } from '../types.ts';

/** Orders whose files have been read, as their wire forms take them. They reject when a file cannot be read. */

/** The `uri` of a picture or clip on the wire: its address, or its bytes as a `data:` address (spec 2.2). */
async function wireUri(media: WireMedia): Promise<string> {
  if ('uri' in media) return media.uri;
  return `data:${media.mime};base64,${await readFile(media.path, 'base64')}`;
}

export async function readVideoForm(request: VideoSubmitRequest): Promise<VideoForm> {
  const { image, lastFrame, referenceImages = [], ...rest } = request;
  return {
    ...rest,
    image: image && (await wireUri(image)),
    lastFrame: lastFrame && (await wireUri(lastFrame)),
    referenceImages: await Promise.all(referenceImages.map(wireUri)),
  };
}

export async function readEditForm({ maskPath, ...rest }: EditSubmitRequest): Promise<EditForm> {
  return { ...rest, mask: await readFile(maskPath, 'base64') };
}
