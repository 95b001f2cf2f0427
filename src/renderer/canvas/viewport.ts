import type { Point } from './document.ts';

/** How the picture lies in the window: screen = picture × zoom + offset. Lengths in CSS pixels. */
export interface Viewport {
  zoom: number;
  x: number;
  y: number;
}

export interface Size {
  width: number;
  height: number;
}

export const MAX_ZOOM = 16;
const MARGIN = 14;

/** The whole picture, centred, with a margin. A small picture is never enlarged beyond its pixels. */
export function fitted(picture: Size, view: Size): Viewport {
  const width = Math.max(1, view.width - 2 * MARGIN);
  const height = Math.max(1, view.height - 2 * MARGIN);
  return centred(picture, view, Math.min(1, width / picture.width, height / picture.height));
}

export function centred(picture: Size, view: Size, zoom: number): Viewport {
  return { zoom, x: (view.width - picture.width * zoom) / 2, y: (view.height - picture.height * zoom) / 2 };
}

/** Zooms by a factor and keeps the picture's point under the pointer where it is. */
export function zoomAt(viewport: Viewport, at: Point, factor: number, picture: Size, view: Size): Viewport {
  const smallest = Math.min(0.05, fitted(picture, view).zoom);
  const zoom = Math.min(MAX_ZOOM, Math.max(smallest, viewport.zoom * factor));
  const ratio = zoom / viewport.zoom;
  const moved = { zoom, x: at.x - (at.x - viewport.x) * ratio, y: at.y - (at.y - viewport.y) * ratio };
  return kept(moved, picture, view);
}

export function panBy(viewport: Viewport, dx: number, dy: number, picture: Size, view: Size): Viewport {
  return kept({ ...viewport, x: viewport.x + dx, y: viewport.y + dy }, picture, view);
}

/** A picture can be moved to the edge but not out of the window: a quarter of the view stays covered. */
function kept(viewport: Viewport, picture: Size, view: Size): Viewport {
  const along = (offset: number, length: number, room: number) => {
    const stays = Math.min(length, room / 4);
    return Math.min(room - stays, Math.max(stays - length, offset));
  };
  return {
    zoom: viewport.zoom,
    x: along(viewport.x, picture.width * viewport.zoom, view.width),
    y: along(viewport.y, picture.height * viewport.zoom, view.height),
  };
}

export const toPicture = (viewport: Viewport, at: Point): Point => ({
  x: (at.x - viewport.x) / viewport.zoom,
  y: (at.y - viewport.y) / viewport.zoom,
});
