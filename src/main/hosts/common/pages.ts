import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { languageTag } from '../../../shared/text/texts.ts';

/** The path of scripts, which the sandboxed media frame loads cross-origin. */
export const SCRIPTS = '/assets/';

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
  '.txt': 'text/plain; charset=utf-8',
};

/** Additional origins that a page may use. */
export interface PagePolicy {
  media?: string;
  /** Whether WebAssembly may run, as the media page's encoders need; `eval` stays forbidden. */
  webAssembly?: boolean;
}

/** No inline scripts, no eval, nothing from other origins. Workers and generated pictures are blobs. */
export function contentSecurityPolicy({ media, webAssembly }: PagePolicy = {}): string {
  const own = (...more: string[]) => ["'self'", ...more, ...(media ? [media] : [])].join(' ');
  return [
    "default-src 'self'",
    webAssembly ? "script-src 'self' 'wasm-unsafe-eval'" : "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    `img-src ${own('blob:')}`,
    `media-src ${own('blob:')}`,
    `connect-src ${own()}`,
    "worker-src 'self' blob:",
    "frame-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
  ].join('; ');
}

export interface Pages {
  /** The page or file at this path, or null: only built files are served. */
  serve(pathname: string): Promise<Response | null>;
}

/** The built files, listed once: a requested path never becomes a path on disk. */
export function openPages(folder: string, policy?: PagePolicy): Pages {
  const files = new Map(listFiles(folder).map((file) => [`/${file}`, join(folder, file)]));
  const csp = contentSecurityPolicy(policy);
  const mediaPageCsp = contentSecurityPolicy({ ...policy, webAssembly: true });
  return {
    async serve(pathname) {
      // Browsers request it by themselves; the window's icon does not come from a page.
      if (pathname === '/favicon.ico') return new Response(null, { status: 204 });
      const path = pathname === '/' ? '/index.html' : pathname;
      const file = files.get(path);
      if (file === undefined) return null;
      const hashed = path.startsWith(SCRIPTS);
      const bytes = await readFile(file);
      return new Response(path.endsWith('.html') ? inLanguage(bytes.toString()) : bytes, {
        headers: {
          'content-type': TYPES[extname(file)] ?? 'application/octet-stream',
          // Names under assets/ contain the hash of their content.
          'cache-control': hashed ? 'public, max-age=31536000, immutable' : 'no-store',
          'content-security-policy': path === '/media.html' ? mediaPageCsp : csp,
          'x-content-type-options': 'nosniff',
          'referrer-policy': 'no-referrer',
          'cross-origin-opener-policy': 'same-origin',
          'cross-origin-resource-policy': 'same-origin',
          'permissions-policy': 'camera=(), microphone=(), geolocation=(), usb=(), serial=(), hid=()',
        },
      });
    },
  };
}

/** Pages read their language from the root element. */
const inLanguage = (html: string): string => html.replace('<html lang="en"', `<html lang="${languageTag()}"`);

function listFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll('\\', '/'),
    );
}
