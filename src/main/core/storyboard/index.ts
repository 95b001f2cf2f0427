export { hasProject } from './boardTable.ts';
export { readFilm } from './readFilm.ts';
export { Storyboard } from './storyboard.ts';
