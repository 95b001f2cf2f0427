/**
 * A resource of the host, such as `rpc/jobs.list`, as a path on this page's origin. A reverse proxy may serve the studio below a path
 * (`--public-url`); every page lies directly in it.
 */
export function hostAddress(path: string): string {
  const { pathname, search } = new URL(path, document.baseURI);
  return pathname + search;
}
