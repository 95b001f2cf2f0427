export { Director } from './director.ts';
