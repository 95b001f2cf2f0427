/** Requests in the API format that the gateway speaks: its own setting, what was found, or the specification's (spec 2.2, 4.2 to 4.4). */

export { submitEdit, submitImagine } from './image.ts';
export { submitVideo } from './video.ts';
