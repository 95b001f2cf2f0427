/** Events from the host to its window: to go to a place of a menu or of a link. Such an event only navigates. */

export const HOST_PLACES = [
  'chat',
  'storyboard',
  'images',
  'queue',
  'night',
  'library',
  'spend',
  'settings',
  'help',
  'computer',
  'shortcuts',
  'diagnostics',
  'about',
  'openBundle',
] as const;
export type HostPlace = (typeof HOST_PLACES)[number];

/** The kinds of things that a `dailies:` link can name. */
export const LINKED_THINGS = ['job', 'asset', 'project'] as const;
export interface LinkedThing {
  thing: (typeof LINKED_THINGS)[number];
  id: string;
}

export type HostEvent =
  /** The user chose it in a menu, the tray or a notification of Dailies. */
  | { type: 'host.go'; place: HostPlace }
  | ({ type: 'host.show' } & LinkedThing)
  /** Anybody may have written the link: the page asks before it follows it. */
  | ({ type: 'host.link' } & LinkedThing)
  /** A bundle opened with Dailies: being read; then kept under `uploadId`, not yet opened; or the reason why it cannot be read. */
  | { type: 'host.bundle'; name: string; uploadId?: string; refusal?: string };

/**
 * The calls of a page of the desktop window while a file is dragged out of it: `ready` on press, `start` on drag, `end` if the pointer is
 * released before. Input: `{ id }`.
 */
export const DRAG_CALLS = { ready: 'drag.ready', start: 'drag.start', end: 'drag.end' } as const;
export type DragStep = keyof typeof DRAG_CALLS;
