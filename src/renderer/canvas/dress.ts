/** The picture under the mask: laid out at its own size, and shown through the viewport's matrix. */
export function dressPicture(
  image: HTMLImageElement,
  { url, width, height }: { url: string; width: number; height: number },
) {
  image.src = url;
  image.alt = '';
  image.draggable = false;
  Object.assign(image.style, {
    position: 'absolute',
    left: '0',
    top: '0',
    maxWidth: 'none',
    width: `${width}px`,
    height: `${height}px`,
    transformOrigin: '0 0',
  });
}

/** Shows the ring around a place of the window, or hides it. */
export function placeRing({ style }: HTMLElement, at: { x: number; y: number } | undefined, size: number): void {
  style.display = at ? 'block' : 'none';
  if (!at) return;
  style.width = `${size}px`;
  style.height = `${size}px`;
  style.transform = `translate(${at.x - size / 2}px, ${at.y - size / 2}px)`;
}

/** The brush's outline, seen on any picture. */
export function dressRing(ring: HTMLElement): void {
  Object.assign(ring.style, {
    position: 'absolute',
    left: '0',
    top: '0',
    borderRadius: '50%',
    boxShadow: '0 0 0 1px #000, inset 0 0 0 1px #fff',
    pointerEvents: 'none',
    display: 'none',
  });
}

/** Of the theme that an element is in. */
export const maskColour = (element: HTMLElement): string =>
  getComputedStyle(element).getPropertyValue('--mask').trim() || '#ff4a5c';
