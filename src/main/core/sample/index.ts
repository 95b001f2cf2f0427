export { Sample } from './sample.ts';
