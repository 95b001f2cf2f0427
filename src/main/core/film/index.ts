export { Film } from './film.ts';
