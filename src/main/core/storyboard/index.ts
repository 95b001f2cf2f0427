export { boardCalls, unknownProject } from './boardCalls.ts';
export { referencedInBoards } from './boardReferences.ts';
export { openPastProjects } from './boardsFromBackup.ts';
export { foundShots, hasProject, type ShotWithTake, shotsWithTakes } from './boardTable.ts';
export {
  changedMeanwhile,
  type FilmSource,
  type LinkedTake,
  linkedTakes,
  readFilm,
  sourceIn,
  withPlayingTake,
} from './makeTakes.ts';
export { noSuchProject, Storyboard } from './storyboard.ts';
