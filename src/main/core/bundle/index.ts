export { Bundles, type BundlesDeps } from './bundles.ts';
