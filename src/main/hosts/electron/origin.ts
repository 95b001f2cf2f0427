/** The scheme of the pages in Electron: no other page shares their origin. */
export const APP_SCHEME = 'studio-app';
export const MEDIA_SCHEME = 'studio-media';
export const APP_ORIGIN = `${APP_SCHEME}://app`;

/** True for the address of one of our own pages. */
export function isOwnPage(address: string): boolean {
  const url = URL.parse(address);
  return url !== null && url.protocol === `${APP_SCHEME}:` && url.host === 'app';
}

/** The path of library files to save, on the pages' own origin: a link to another origin would be opened, not saved. */
export const SAVED_PATH = '/media/';

/** Whether our pages may save this: a library file, or one that the page created. */
export function isOwnDownload(address: string): boolean {
  if (address.startsWith('blob:')) return isOwnPage(address.slice('blob:'.length));
  const url = URL.parse(address);
  return url !== null && (url.protocol === `${MEDIA_SCHEME}:` ? url.host === 'asset' : isOwnPage(address));
}

/** The library file in an address of `studio-media:`. */
export function assetOf(address: string): string | undefined {
  const url = URL.parse(address);
  if (url?.protocol !== `${MEDIA_SCHEME}:` || url.host !== 'asset') return undefined;
  try {
    return decodeURIComponent(url.pathname.slice(1)) || undefined;
  } catch {
    return undefined;
  }
}

/** Whether it is a library file, which remains after a failed save. */
export const isOfLibrary = (address: string): boolean =>
  assetOf(address) !== undefined ||
  (isOwnPage(address) && URL.parse(address)?.pathname.startsWith(SAVED_PATH) === true);
