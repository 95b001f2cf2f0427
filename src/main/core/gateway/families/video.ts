import type { Reason } from '../../../../shared/contract/result.ts';
import { factsOf } from '../../../../shared/gateway/modelFacts.ts';
import { lengthReasons } from '../../../../shared/kinds/video.ts';
import { withExtra } from '../../../../shared/wire/extra.ts';
import { textParts, type VideoFamily, videoFamilies, videoFamily } from '../../../../shared/wire/families/index.ts';
import { videoBody } from '../../../../shared/wire/video.ts';
import { withoutEchoedRequest } from '../errors/index.ts';
import { wireBase64 } from '../exchange/index.ts';
import { isAccepted, isRefusedAsInvalid, retryWithNextSpelling } from '../outcomes/index.ts';
import type { Service } from '../service.ts';
import { readVideoForm, type Sent, sendVideo, unreadablePicture } from '../tasks/index.ts';
import type { SendOptions, SubmitOutcome, VideoSubmitRequest, WireFile, WireMedia } from '../types.ts';
import { bySpokenFormat } from './spokenFormat.ts';
import { learnDialect, requestedDialect, spellingOf, videoDialect } from './videoDialect.ts';

/**
 * Submits a video request through chat completions (spec 4.1). If the spelling of its options is definitely refused, the request is sent
 * once more in the spelling that the refusal asks for. A link to a picture that is definitely refused is replaced by its bytes.
 */
export const submitVideoInChat = (service: Service, request: VideoSubmitRequest, send: SendOptions): Promise<Sent> =>
  retryWithNextSpelling(send, {
    first: videoDialect(service),
    nameOf: spellingOf,
    submit: async (dialect) => {
      const form = await readVideoForm(request, dialect.pictures !== 'bytes').catch(() => undefined);
      if (!form) return unreadablePicture(service);
      const wire = videoBody(form, dialect);
      const body = withExtra(wire.body, service.profile, request.model);
      const submitted = await sendVideo(service, { ...wire, body }, send);
      if (isAccepted(submitted.outcome)) service.learn({ takenSpelling: spellingOf(dialect) }, 'accepted');
      return submitted;
    },
    next({ outcome, answer }, dialect) {
      if (!answer || !isRefusedAsInvalid(outcome)) return undefined;
      const { message } = withoutEchoedRequest(answer, { message: answer.text, codes: [] });
      return requestedDialect(message, dialect, hasLinks(request));
    },
    learn: (dialect) => learnDialect(service, dialect, 'refused'),
  });

/** Whether a picture goes by a link that its bytes could replace. */
const hasLinks = ({ image, lastFrame, referenceImages = [] }: VideoSubmitRequest): boolean =>
  [image, lastFrame, ...referenceImages].some((media) => media && 'uri' in media && media.file !== undefined);

/** Submits a video request in the API format that the gateway speaks. */
export const submitVideo = (service: Service, request: VideoSubmitRequest, send: SendOptions): Promise<SubmitOutcome> =>
  bySpokenFormat(service, send, {
    medium: 'video',
    families: videoFamilies(),
    lacks: (name) => lacks(service, request, name),
    submit(name) {
      const family = videoFamily(name);
      return family ? submitAs(service, family, request, send) : submitVideoInChat(service, request, send);
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

async function submitAs(
  service: Service,
  family: VideoFamily,
  request: VideoSubmitRequest,
  send: SendOptions,
): Promise<Sent> {
  const file = family.upload === undefined ? undefined : fileOf(request.image);
  const byLink = service.profile.pictures === 'link';
  // Only reading may fail so: what throws once the request has left says nothing about a picture.
  const [form, frame] = await Promise.all([
    readVideoForm(file ? { ...request, image: undefined } : request, byLink),
    file && wireBase64(file),
  ]).catch(() => []);
  if (!form) return unreadablePicture(service);
  const own = family.body(form);
  const wire = { ...own, body: withExtra(own.body, service.profile, request.model) };
  const { upload: name = '' } = family;
  const value = file && { filename: 'frame', mime: file.mime, bytes: Buffer.from(frame ?? '', 'base64') };
  const parts = value && [...textParts(wire.body), { name, value }];
  return sendVideo(service, { ...wire, parts }, send, { route: family });
}

const fileOf = (media: WireMedia | undefined): WireFile | undefined =>
  media && 'uri' in media ? media.file : (media as WireFile | undefined);
