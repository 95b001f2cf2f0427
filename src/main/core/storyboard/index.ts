export { foundShots, hasProject, type ShotWithTake, shotsWithTakes } from './boardTable.ts';
export { type LinkedTake, linkedTakes, sourceIn, withPlayingTake } from './boardTakes.ts';
export { namedInBoards } from './namedInBoards.ts';
export { type FilmSource, readFilm } from './readFilm.ts';
export { openPastProjects } from './restorableBoards.ts';
export { Storyboard } from './storyboard.ts';
