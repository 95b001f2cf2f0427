export { Updates, type UpdatesDeps } from './updates.ts';
