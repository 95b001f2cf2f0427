import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';
import type { Plugin } from 'vite';

/** The encoder's file for browsers declares its one name and exports nothing. */
export const namedH264 = {
  name: 'h264-mp4-encoder',
  transform: (code: string, id: string) =>
    id.split('?', 1)[0]?.endsWith('/h264-mp4-encoder.web.js') ? `${code}\nexport { HME };` : undefined,
};

/** A backslash before such a character says nothing, and would stand before the new one. */
export const inAscii = (code: string): string =>
  code.replace(
    /(\\*)([\u0080-\uffff])/g,
    (_, slashes: string, char: string) =>
      `${slashes.slice(slashes.length % 2)}\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** One character beyond ASCII makes Node keep the whole text of a file with two bytes for each: 2 MB more in every host that runs. */
const asciiOnly: Plugin = {
  name: 'ascii-only',
  // What is printed before is printed once more by the bundler, with the characters themselves.
  generateBundle(_, bundle) {
    for (const file of Object.values(bundle)) if (file.type === 'chunk') file.code = inAscii(file.code);
  },
};

/** The folders of the packages whose code is in a part, that of its workers too. */
const findsPackages = (folders: Set<string>): Plugin => ({
  name: 'finds-packages',
  generateBundle(_, bundle) {
    for (const file of Object.values(bundle)) {
      for (const id of file.type === 'chunk' ? file.moduleIds : []) {
        const [folder] = /(?:node_modules\/(?:@[^/]+\/)?[^/]+\/)+/.exec(id) ?? [];
        if (folder !== undefined) folders.add(folder.slice(0, -1));
      }
    }
  },
});

/** `packages.json` of a part: whose notices are to be in `THIRD_PARTY_NOTICES.md`. */
const namesPackages = (folders = new Set<string>()): Plugin[] => [
  findsPackages(folders),
  {
    name: 'names-packages',
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: 'packages.json', source: JSON.stringify([...folders].sort()) });
    },
  },
];
const inPages = new Set<string>();

const source = (path: string) => join(import.meta.dirname, 'src', path);

export default defineConfig({
  main: {
    plugins: [asciiOnly, namesPackages()],
    build: {
      target: 'node22',
      sourcemap: true,
      rolldownOptions: {
        input: {
          electron: source('main/hosts/electron/start.ts'),
          browser: source('main/hosts/browser/start.ts'),
          inspect: source('main/core/library/media/inspectProcess.ts'),
          'file-worker': source('main/core/library/content/fileWorker.ts'),
          'read-worker': source('main/core/store/reading/readWorker.ts'),
          authorities: source('main/hosts/electron/network/authoritiesProcess.ts'),
          bundle: source('main/core/bundle/readBundleWorker.ts'),
          'chat-file': source('main/core/chat/chatFileWorker.ts'),
          migrate: source('main/core/store/migrations/migrationWorker.ts'),
          upkeep: source('main/core/store/backup/upkeepProcess.ts'),
          sandbox: source('main/sandbox/program.ts'),
          'sandbox-worker': source('main/sandbox/render/worker.ts'),
        },
        // Chunks lie beside the entries: what is found by `import.meta` is found from both.
        output: {
          format: 'es',
          entryFileNames: '[name].js',
          chunkFileNames: '[name]-[hash].js',
          comments: { jsdoc: false },
        },
        // `npm start` imports the browser host and calls it.
        preserveEntrySignatures: 'strict',
      },
    },
  },
  preload: {
    plugins: [namesPackages()],
    build: {
      // A sandboxed preload can require nothing but electron itself.
      externalizeDeps: false,
      rolldownOptions: {
        input: { index: source('preload/preload.ts') },
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: source('renderer'),
    plugins: [react({ jsxImportSource: '#safeText' }), namedH264, namesPackages(inPages)],
    build: {
      // Addresses inside the pages are files: the policy allows no inline script and no data in fonts.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      minify: true,
      rolldownOptions: { input: { index: source('renderer/index.html'), media: source('renderer/media.html') } },
    },
    worker: {
      format: 'es',
      plugins: () => [namedH264, findsPackages(inPages)],
      // The encoder's `eval` is in a branch that is not taken, and the pages' policy would refuse it.
      rolldownOptions: { checks: { eval: false } },
    },
  },
});
