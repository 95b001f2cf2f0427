/**
 * What a page of the desktop window asks of its host, beside the calls of the studio, when a file of the library is dragged out of it:
 * `ready` when it is pressed, `start` when it is dragged, `end` when the pointer is let go before that has begun. Input: `{ id }`.
 */
export const DRAG_CALLS = { ready: 'drag.ready', start: 'drag.start', end: 'drag.end' } as const;
export type DragStep = keyof typeof DRAG_CALLS;
