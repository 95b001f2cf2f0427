export { isLost, openLink, type StudioLink } from './studioLink.ts';
