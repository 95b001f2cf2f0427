/** The API formats beside the specification's own, each one object. */

export type { FormPart, ImageFamily, Match, Signs, VideoBody, VideoFamily, VideoForm } from './family.ts';
export { textParts } from './family.ts';
export {
  imageFamilies,
  imageFamily,
  protocolLabel,
  protocolNames,
  protocolsSchema,
  registerVideoFamily,
  videoFamilies,
  videoFamily,
} from './registry.ts';
