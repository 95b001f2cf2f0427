export { hasProject } from './boardTable.ts';
export { type LinkedTake, linkedTakes, sourceIn, withPlayingTake } from './boardTakes.ts';
export { foundShots } from './foundShots.ts';
export { namedInBoards } from './namedInBoards.ts';
export { type FilmSource, readFilm } from './readFilm.ts';
export { openPastProjects } from './restorableBoards.ts';
export { type ShotWithTake, shotsWithTakes } from './shotsWithTakes.ts';
export { Storyboard } from './storyboard.ts';
