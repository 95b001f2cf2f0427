export { KeepAwake, powerSourceOf } from './keepAwake.ts';
