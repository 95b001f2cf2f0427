import { lengthReasons } from '../../../../shared/kinds/video.ts';
import { factsOf } from '../../../../shared/modelFacts.ts';
import type { Reason } from '../../../../shared/result.ts';
import { withExtra } from '../../../../shared/wire/extra.ts';
import { type FormPart, type VideoFamily, videoFamilies, videoFamily } from '../../../../shared/wire/families/index.ts';
import { unreadableFile } from '../errors/index.ts';
import { wireBase64 } from '../exchange/index.ts';
import { refused } from '../outcomes/index.ts';
import type { Service } from '../service.ts';
import { readVideoForm, sendVideo } from '../tasks/index.ts';
import type { SendOptions, SubmitOutcome, VideoSubmitRequest, WireFile, WireMedia } from '../types.ts';
import { bySpokenFormat, type Sent } from './bySpokenFormat.ts';
import { submitVideoInChat } from './videoInChat.ts';

/** Submits a video request in the API format that the gateway speaks. */
export const submitVideo = (service: Service, request: VideoSubmitRequest, send: SendOptions): Promise<SubmitOutcome> =>
  bySpokenFormat(service, send, {
    medium: 'video',
    families: videoFamilies(),
    lacks: (name) => lacks(service, request, name),
    async submit(name) {
      const family = videoFamily(name);
      try {
        return await (family ? submitAs(service, family, request, send) : submitVideoInChat(service, request, send));
      } catch {
        return { outcome: refused(unreadableFile(service, 'A picture of this request')), hasNoRoute: false };
      }
    },
  });

/** A job may have been queued while another format was in use. */
function lacks(
  { profile }: Service,
  { model, videoUri: video, ...request }: VideoSubmitRequest,
  name: string,
): Reason[] {
  const family = videoFamily(name);
  if (!family) return [];
  const facts = factsOf(profile, model);
  return [...family.lacks({ ...request, video }, facts), ...lengthReasons(model, request.config, facts, name)];
}

/** Throws if a picture cannot be read. */
async function submitAs(
  service: Service,
  family: VideoFamily,
  request: VideoSubmitRequest,
  send: SendOptions,
): Promise<Sent> {
  const file = family.upload === undefined ? undefined : fileOf(request.image);
  const form = await readVideoForm(
    file ? { ...request, image: undefined } : request,
    service.profile.pictures === 'link',
  );
  const own = family.body(form);
  const wire = { ...own, body: withExtra(own.body, service.profile, request.model) };
  const parts = file && family.upload !== undefined ? await partsOf(wire.body, family.upload, file) : undefined;
  return sendVideo(service, { ...wire, parts }, send, { route: family });
}

const fileOf = (media: WireMedia | undefined): WireFile | undefined =>
  media && 'uri' in media ? media.file : (media as WireFile | undefined);

async function partsOf(body: Record<string, unknown>, name: string, file: WireFile): Promise<FormPart[]> {
  const bytes = Buffer.from(await wireBase64(file), 'base64');
  const texts = Object.entries(body).map(([field, value]) => ({
    name: field,
    value: typeof value === 'object' ? JSON.stringify(value) : String(value),
  }));
  return [...texts, { name, value: { filename: 'frame', mime: file.mime, bytes } }];
}
