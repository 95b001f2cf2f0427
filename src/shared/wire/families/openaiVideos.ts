import { t } from '../../text/texts.ts';
import { definedFields, lacking, sentTexts, UNKNOWN, type VideoFamily, withValue } from './family.ts';

const label = t`OpenAI videos`;
const PATH = '/v1/videos';

/** Width and height by aspect ratio; the format defaults to portrait (wire-families A). */
const SIZES = { '16:9': '1280x720', '9:16': '720x1280' } as const;

/** `POST /v1/videos` of OpenAI and its relays (wire-families A): one picture as the first frame, and a size. */
export const openaiVideos: VideoFamily = {
  name: 'openaiVideos',
  label,
  path: PATH,
  taskPath: `${PATH}/{id}`,
  seconds: [4, 8, 12],
  upload: 'input_reference',
  lacks: (request) => lacking(label, { resolutions: ['720p'] }, request),
  body(form) {
    const { model, prompt, config, image } = form;
    const { durationSeconds, aspectRatio = '16:9' } = config;
    return {
      body: definedFields({
        model,
        prompt,
        seconds: durationSeconds === undefined ? undefined : String(durationSeconds),
        size: SIZES[aspectRatio],
        input_reference: image,
      }),
      omitted: withValue(config, ['fps', 'generateAudio', 'seed']),
      sent: sentTexts(form),
    };
  },
  match({ endpointTypes, routes }) {
    const isListed = routes[`${PATH}/models`];
    if (endpointTypes.includes('openai-video') && !isListed)
      return { speaks: 'yes', sign: 'supported_endpoint_types: openai-video' };
    // OpenRouter's format uses the same path with another body; only its list of models distinguishes them.
    if (isListed !== false) return { speaks: 'no', sign: `GET ${PATH}/models` };
    const route = routes[`${PATH}/{id}`];
    if (route === undefined) return UNKNOWN;
    return { speaks: route ? 'yes' : 'no', sign: `GET ${PATH}/{id}` };
  },
};
