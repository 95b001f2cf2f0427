export { Director, type DirectorDeps } from './director.ts';
