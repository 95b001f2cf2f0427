import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** The pages over a fake transport with the look's own film, to be looked at: `npx vite --config test/pages/vite.config.ts test/pages`. */
export default defineConfig({
  plugins: [react({ jsxImportSource: '#elements' })],
  publicDir: '../fixtures',
  server: { host: '127.0.0.1', fs: { allow: ['../..'] } },
});
