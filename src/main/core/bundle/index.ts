export { Bundles } from './bundles.ts';
