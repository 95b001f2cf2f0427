export { newSecret } from '../hosts/browser/access.ts';
export { isLost, openLink, type StudioLink } from './studioLink.ts';
