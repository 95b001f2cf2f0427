/** What the host asks of its window: places that its menus lead to, and what came from outside. A page only ever goes somewhere for it. */

/** Places that menus, the tray and notifications lead to. */
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

/** What a link of the scheme `dailies:` can name. */
export const LINKED_THINGS = ['job', 'asset', 'project'] as const;
export interface LinkedThing {
  thing: (typeof LINKED_THINGS)[number];
  id: string;
}

export type HostEvent =
  /** Chosen by the user in a menu, the tray or a notification of Dailies. */
  | { type: 'host.go'; place: HostPlace }
  | ({ type: 'host.show' } & LinkedThing)
  /** From outside Dailies: anybody may have written it, so the page asks before it goes there. */
  | ({ type: 'host.link' } & LinkedThing)
  /** A bundle that the system opened with Dailies: being read; then kept under `uploadId`, and not opened; or why it cannot be read. */
  | { type: 'host.bundle'; name: string; uploadId?: string; refusal?: string };

/**
 * What a page of the desktop window asks of its host, beside the calls of the studio, when a file of the library is dragged out of it:
 * `ready` when it is pressed, `start` when it is dragged, `end` when the pointer is let go before that has begun. Input: `{ id }`.
 */
export const DRAG_CALLS = { ready: 'drag.ready', start: 'drag.start', end: 'drag.end' } as const;
export type DragStep = keyof typeof DRAG_CALLS;
