import type { Reason } from '../../../../shared/contract/result.ts';
import { factsOf } from '../../../../shared/gateway/modelFacts.ts';
import { lengthReasons } from '../../../../shared/kinds/video.ts';
import { videoConfigSchema } from '../../../../shared/kinds/videoConfig.ts';
import { withExtra } from '../../../../shared/wire/extra.ts';
import { formFields, type VideoFamily, videoFamilies, videoFamily } from '../../../../shared/wire/families/index.ts';
import { snakeName } from '../../../../shared/wire/spelling.ts';
import { placeOfSamples, videoBody } from '../../../../shared/wire/video.ts';
import { withoutEchoedRequest } from '../errors/gatewayError.ts';
import { wireBase64 } from '../exchange/request.ts';
import { fold } from '../json/fields.ts';
import { isAccepted, isRefusedAsInvalid, retryWithNextSpelling } from '../outcomes/outcome.ts';
import type { Service } from '../service.ts';
import type { Sent } from '../tasks/submitOnce.ts';
import { readVideoForm, sendVideo, unreadablePicture } from '../tasks/video/parsedVideo.ts';
import type { SendOptions, SubmitOutcome, VideoDialect, VideoSubmitRequest, WireFile, WireMedia } from '../types.ts';
import { bySpokenFormat } from './spokenFormat.ts';

/**
 * How a service spells video options (spec 2.2 and 2.3 leave vendor name, spelling and the seed's place open). After a definite refusal
 * that names one of them, the same request is sent in the spelling that the refusal asks for; the accepted spelling is remembered.
 */

/** The profile's dialect, unless this service has refused it and accepted another. */
export function videoDialect(service: Service): VideoDialect {
  const own = ownDialect(service);
  const { insteadOf, ...learnt } = service.memory().videoDialect ?? {};
  return insteadOf === spellingOf(own) ? { ...own, ...learnt } : own;
}

function ownDialect({ profile }: Service): VideoDialect {
  const { vendor, fieldCase, seedPlacement, samplePlacement, pictures, omittedFields } = profile;
  return { vendor, fieldCase, seedPlacement, samplePlacement, pictures, omittedFields };
}

/** Remembers the dialect that was accepted instead of the profile's. */
function learnDialect(service: Service, taken: VideoDialect): void {
  const insteadOf = spellingOf(ownDialect(service));
  const { vendor, fieldCase, seedPlacement, samplePlacement, pictures } = taken;
  if (spellingOf(taken) !== insteadOf)
    service.learn(
      { videoDialect: { vendor, fieldCase, seedPlacement, samplePlacement, pictures, insteadOf } },
      'refused',
    );
}

/** Whether a request was accepted in the current spelling of video options. */
export function isDialectTaken(service: Service): boolean {
  const { takenSpelling, videoDialect: learnt, foundBy } = service.memory();
  const used = spellingOf(videoDialect(service));
  // Earlier versions stored only a spelling that was accepted after a refusal.
  return takenSpelling === used || (foundBy?.videoDialect?.by === 'refused' && !!learnt && spellingOf(learnt) === used);
}

/** Options that were added later appear only with unusual values, so that spellings from earlier versions still match. */
function spellingOf(dialect: VideoDialect): string {
  const { vendor, fieldCase, seedPlacement, pictures } = dialect;
  const samples = placeOfSamples(dialect);
  return [
    vendor,
    fieldCase,
    seedPlacement,
    ...(samples === seedPlacement ? [] : [`samples ${samples}`]),
    ...(pictures === 'bytes' ? [pictures] : []),
  ].join(' ');
}

/** The part of a refusal that is read. */
const MAX_REFUSAL_LENGTH = 10_000;
const NAMED_IN_BODY = /extra_body(?:\.|\[["']?)([A-Za-z][\w-]{0,63})/g;
/** Phrases for an unknown field. "Not supported" and "not allowed" are about values; another spelling would only hide such an error. */
const IS_UNKNOWN =
  /(?:unknown|unrecogni[sz]ed|unexpected|invalid) (?:field|parameter|param|key|argument|property|name)|(?:unknown|unexpected|extra) (?:fields|parameters|keys|inputs|arguments|properties)|additional propert|no such field|not a (?:known|valid) field/i;
const camelFields =
  'durationSeconds aspectRatio generateAudio sampleCount lastFrame referenceImages referenceType'.split(' ');
const snakeFields = camelFields.map(snakeName);
/** A rule about one of our own fields, such as `extra_body.image`, names no vendor. */
const OWN_FIELDS = new Set(
  [
    ...Object.keys(videoConfigSchema.shape),
    ...['config', 'image', 'lastFrame', 'referenceImages', 'referenceType', 'video'],
    ...['model', 'messages', 'prompt', 'stream'],
  ].map(fold),
);
/** Words for a picture whose address could not be used. */
const IS_PICTURE = /\b(?:image|picture|frame|uri|url|link|fetch|download|base64)/i;
const IS_SEED = /\bseed\b/;
const IS_SAMPLES = /\b(?:sampleCount|sample_count)\b/;

const other = (place: 'config' | 'beside') => (place === 'config' ? 'beside' : 'config');

/**
 * The dialect that a refusal asks for, if it names the unknown field. `hasLinks`: pictures went by links that their bytes can replace.
 */
function requestedDialect(refusal: string, sent: VideoDialect, hasLinks: boolean): VideoDialect | undefined {
  const text = refusal.slice(0, MAX_REFUSAL_LENGTH);
  const vendor = [...text.matchAll(NAMED_IN_BODY)]
    .flatMap(([, name]) => name ?? [])
    .findLast((name) => name !== sent.vendor && !OWN_FIELDS.has(fold(name)));
  if (vendor !== undefined) return { ...sent, vendor };
  const [ours, theirs] = sent.fieldCase === 'camel' ? [camelFields, snakeFields] : [snakeFields, camelFields];
  const names = (fields: readonly string[]): boolean => fields.some((name) => text.includes(name));
  const isUnknown = IS_UNKNOWN.test(text);
  if (names(theirs) || (isUnknown && names(ours) && !IS_SEED.test(text) && !IS_SAMPLES.test(text)))
    return { ...sent, fieldCase: sent.fieldCase === 'camel' ? 'snake' : 'camel' };
  if (isUnknown && IS_SEED.test(text)) return { ...sent, seedPlacement: other(sent.seedPlacement) };
  if (isUnknown && IS_SAMPLES.test(text)) return { ...sent, samplePlacement: other(placeOfSamples(sent)) };
  if (hasLinks && sent.pictures !== 'bytes' && IS_PICTURE.test(text)) return { ...sent, pictures: 'bytes' };
  return undefined;
}

/**
 * Submits a video request through chat completions (spec 4.1). If the spelling of its options is definitely refused, the request is sent
 * once more in the spelling that the refusal asks for. A link to a picture that is definitely refused is replaced by its bytes.
 */
const submitVideoInChat = (service: Service, request: VideoSubmitRequest, send: SendOptions): Promise<Sent> =>
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
    learn: (dialect) => learnDialect(service, dialect),
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

/** The format may have changed since the job was queued, so the request is checked again. */
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
  // Only reading the pictures is caught here: an error after the request was sent says nothing about a picture.
  const [form, frame] = await Promise.all([
    readVideoForm(file ? { ...request, image: undefined } : request, byLink),
    file && wireBase64(file),
  ]).catch(() => []);
  if (!form) return unreadablePicture(service);
  const own = family.body(form);
  const wire = { ...own, body: withExtra(own.body, service.profile, request.model) };
  const { upload: name = '' } = family;
  const value = file && { filename: 'frame', mime: file.mime, bytes: Buffer.from(frame ?? '', 'base64') };
  const parts = value && [...formFields(wire.body), { name, value }];
  return sendVideo(service, { ...wire, parts }, send, { route: family });
}

const fileOf = (media: WireMedia | undefined): WireFile | undefined =>
  media && 'uri' in media ? media.file : (media as WireFile | undefined);
