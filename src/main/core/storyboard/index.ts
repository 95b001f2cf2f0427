export { hasProject } from './boardTable.ts';
export { foundShots } from './foundShots.ts';
export { namedInBoards } from './namedInBoards.ts';
export { readFilm } from './readFilm.ts';
export { Storyboard } from './storyboard.ts';
