export { Diagnostics } from './diagnostics.ts';
