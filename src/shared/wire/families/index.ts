/** The API formats besides the specification's own. */

export type { FormatEvidence, FormPart, ImageFamily, Match, VideoBody, VideoFamily, VideoForm } from './family.ts';
export { formFields } from './family.ts';
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
