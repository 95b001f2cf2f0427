import type { Page } from 'playwright';

export interface ServedFile {
  mime: string;
  bytes: Uint8Array;
}

/** Serves `/files/<id>` with ranges, as the studio does: without ranges a browser cannot seek beyond what it has loaded. */
export async function serveFiles(page: Page, files: ReadonlyMap<string, ServedFile>): Promise<void> {
  await page.route('**/files/*', (route) => {
    const file = files.get(new URL(route.request().url()).pathname.split('/').at(-1) ?? '');
    if (!file) return route.fulfill({ status: 404 });
    const size = file.bytes.length;
    const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(route.request().headers().range ?? '') ?? [];
    const [from, to] = [Number(first ?? 0), last ? Number(last) : size - 1];
    return route.fulfill({
      status: first === undefined ? 200 : 206,
      contentType: file.mime,
      headers: { 'accept-ranges': 'bytes', 'content-range': `bytes ${from}-${to}/${size}` },
      body: Buffer.from(file.bytes.subarray(from, to + 1)),
    });
  });
}
