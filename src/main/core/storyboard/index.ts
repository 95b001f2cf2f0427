export { hasProject } from './boardTable.ts';
export { foundShots } from './foundShots.ts';
export { readFilm } from './readFilm.ts';
export { Storyboard } from './storyboard.ts';
