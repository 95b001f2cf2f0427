import { t } from '../../text/texts.ts';
import { lacking, present, sentTexts, UNKNOWN, type VideoFamily, withValue } from './family.ts';

const label = t`OpenAI videos`;
const PATH = '/v1/videos';

/** Width and height by the aspect ratio; the format's own default is portrait (wire-families A). */
const SIZES = { '16:9': '1280x720', '9:16': '720x1280' } as const;

/** `POST /v1/videos` as OpenAI and its relays take it (wire-families A): one picture as the first frame, and a size. */
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
      body: present({
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
    // The same path takes another body in OpenRouter's format: only its list of models tells the two apart.
    if (isListed !== false) return { speaks: 'no', sign: `GET ${PATH}/models` };
    const route = routes[`${PATH}/{id}`];
    if (route === undefined) return UNKNOWN;
    return { speaks: route ? 'yes' : 'no', sign: `GET ${PATH}/{id}` };
  },
};
