export { KeepAwake } from './keepAwake.ts';
