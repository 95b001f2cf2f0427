/** The API formats besides the specification's own. */

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
