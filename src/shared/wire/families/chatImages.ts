import { t } from '../../text/texts.ts';
import { CHAT_PATH } from '../headers.ts';
import { definedFields, type ImageFamily } from './family.ts';

/** A ratio such as 16:9; there is no field for a size in pixels. */
const RATIO = /^\d{1,2}:\d{1,2}$/;

/** Pictures in a chat answer (wire-families E). */
export const chatImages: ImageFamily = {
  name: 'chatImages',
  label: t`Images in chat`,
  path: CHAT_PATH,
  variations: 1,
  sizes: ['1:1', '3:2', '2:3', '4:3', '3:4', '16:9', '9:16', '21:9'],
  qualities: [],
  imagine: ({ model, prompt, size = '' }) =>
    definedFields({
      model,
      messages: [{ role: 'user', content: prompt }],
      modalities: ['image', 'text'],
      image_config: RATIO.test(size) ? { aspect_ratio: size } : undefined,
    }),
  // A chat answers any request, at a cost: only the list of models shows that it makes pictures.
  match: ({ outputs }) => ({ speaks: outputs.includes('image') ? 'yes' : 'no', sign: 'output_modalities: image' }),
};
