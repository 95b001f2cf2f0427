import { t } from '../../text/texts.ts';
import { definedFields, lacking, sentTexts, UNKNOWN, type VideoFamily, withValue } from './family.ts';

const label = t`Relay videos`;
const PATH = '/v1/video/generations';

const LINES = { '720p': 720, '1080p': 1080 } as const;

/** Width and height in pixels. */
function frame(resolution: keyof typeof LINES = '720p', aspectRatio: '16:9' | '9:16' = '16:9') {
  const short = LINES[resolution];
  const long = (short * 16) / 9;
  return aspectRatio === '16:9' ? { width: long, height: short } : { width: short, height: long };
}

/** `POST /v1/video/generations` of new-api (wire-families B). */
export const relayVideos: VideoFamily = {
  name: 'relayVideos',
  label,
  path: PATH,
  taskPath: `${PATH}/{id}`,
  // The gateway's channel decides how several pictures are read: only for models known to take them.
  lacks: (request, { last = false, references = 0 }) => lacking(label, { last, references, variations: 4 }, request),
  body(form) {
    const { model, prompt, config, image, lastFrame, referenceImages = [] } = form;
    const { durationSeconds, resolution, aspectRatio, fps, seed, sampleCount, numberOfVideos } = config;
    const pictures = lastFrame === undefined ? referenceImages : [image, lastFrame];
    const count = sampleCount ?? numberOfVideos;
    return {
      body: definedFields({
        model,
        prompt,
        image: lastFrame === undefined ? image : undefined,
        images: pictures.length > 0 ? pictures : undefined,
        duration: durationSeconds,
        ...frame(resolution, aspectRatio),
        fps,
        seed,
        n: count,
      }),
      omitted: withValue(config, ['generateAudio']),
      sent: sentTexts(form),
    };
  },
  match({ routes }) {
    const route = routes[`${PATH}/{id}`];
    if (route === undefined) return UNKNOWN;
    return { speaks: route ? 'yes' : 'no', sign: `GET ${PATH}/{id}` };
  },
};
