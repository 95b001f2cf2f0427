export { KeepAwake } from './keepAwake.ts';
export { powerSourceOf } from './powerSource.ts';
