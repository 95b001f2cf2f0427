export { Storyboard } from './storyboard.ts';
