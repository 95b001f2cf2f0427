export { Film } from './film.ts';
export { mediaCalls } from './mediaCalls.ts';
export { MovieTasks } from './movieTasks.ts';
