/**
 * The API formats: requests in the one that the gateway speaks (its own setting, what was found, or the specification's), image tasks and
 * video in chat, which are the specification's own (spec 2.2, 4.2 to 4.4), and the free signs of the others.
 */

export { repeatRequest, submitEdit, submitImagine } from './image.ts';
export { pollImage } from './imageTasks/imageTask.ts';
export { listedEntries, readSigns, spokenIn } from './spokenFormat.ts';
export { isDialectTaken, submitVideo, videoDialect } from './video.ts';
