import { t } from '../../text/texts.ts';
import { definedFields, type FormPart, formFields, type ImageFamily, type ImageForm, UNKNOWN } from './family.ts';

const PATH = '/v1/images/generations';

const fieldsOf = ({ model, prompt, n, size, quality }: ImageForm) => definedFields({ model, prompt, n, size, quality });

const EXTENSIONS: Readonly<Record<string, string>> = { 'image/jpeg': 'jpg', 'image/webp': 'webp' };

/** `/v1/images/generations` and `/v1/images/edits` (wire-families D). `response_format` is left out: newer models refuse it. */
export const openaiImages: ImageFamily = {
  name: 'openaiImages',
  label: t`OpenAI images`,
  path: PATH,
  variations: 10,
  sizes: ['1024x1024', '1536x1024', '1024x1536'],
  qualities: ['low', 'medium', 'high'],
  imagine: fieldsOf,
  edit: {
    path: '/v1/images/edits',
    parts({ image, mask, ...form }): FormPart[] {
      const filename = `image.${EXTENSIONS[image.mime] ?? 'png'}`;
      return [
        ...formFields(fieldsOf(form)),
        { name: 'image', value: { filename, ...image } },
        { name: 'mask', value: { filename: 'mask.png', mime: 'image/png', bytes: mask } },
      ];
    },
  },
  match({ endpointTypes, routes }) {
    if (endpointTypes.includes('image-generation'))
      return { speaks: 'yes', sign: 'supported_endpoint_types: image-generation' };
    return routes[PATH] === false ? { speaks: 'no', sign: `GET ${PATH}` } : UNKNOWN;
  },
};
