import { setTransport } from '../../src/renderer/client/index.ts';
import { fakeTransport } from './fakeTransport.ts';

const options = new URLSearchParams(window.location.search);
setTransport(fakeTransport(options));
await import('../../src/renderer/main.tsx');
