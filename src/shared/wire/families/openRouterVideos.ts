import { t } from '../../text/texts.ts';
import { definedFields, lacking, sentTexts, type VideoFamily, withValue } from './family.ts';

const label = t`OpenRouter videos`;
const PATH = '/v1/videos';
/** The most references, as in the specification (spec 2.2). */
const REFERENCES = 3;

const picture = (url: string) => ({ type: 'image_url', image_url: { url } });

/** `POST /v1/videos` of OpenRouter (wire-families C): frames and references by role. */
export const openRouterVideos: VideoFamily = {
  name: 'openRouterVideos',
  label,
  path: PATH,
  taskPath: `${PATH}/{id}`,
  lacks: (request, { references = REFERENCES }) => lacking(label, { last: true, references }, request),
  body(form) {
    const { model, prompt, config, image, lastFrame, referenceImages = [] } = form;
    const frames = [
      ...(image === undefined ? [] : [{ ...picture(image), frame_type: 'first_frame' }]),
      ...(lastFrame === undefined ? [] : [{ ...picture(lastFrame), frame_type: 'last_frame' }]),
    ];
    return {
      body: definedFields({
        model,
        prompt,
        duration: config.durationSeconds,
        resolution: config.resolution,
        aspect_ratio: config.aspectRatio,
        generate_audio: config.generateAudio,
        seed: config.seed,
        frame_images: frames.length > 0 ? frames : undefined,
        input_references: referenceImages.length > 0 ? referenceImages.map(picture) : undefined,
      }),
      omitted: withValue(config, ['fps']),
      sent: sentTexts(form),
    };
  },
  match({ routes }) {
    // Only this format has this list.
    return { speaks: routes[`${PATH}/models`] ? 'yes' : 'no', sign: `GET ${PATH}/models` };
  },
};
