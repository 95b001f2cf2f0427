export { Film } from './film.ts';
export { MovieTasks } from './movieTasks.ts';
