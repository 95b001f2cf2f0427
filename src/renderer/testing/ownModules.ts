import { afterAll, vi } from 'vitest';

/**
 * Files of pages share a process, its window and the libraries; the modules of the program are loaded anew for each file, and what a file
 * has put into the window goes with it.
 */
vi.resetModules();
// Pages are tested with the React that is built: its checking build takes half as long again.
process.env.NODE_ENV = 'production';
// Without a fake studio a page keeps looking for a real one, even after its test has ended.
Object.defineProperty(window, 'dailies', {
  configurable: true,
  get: () => {
    throw new Error('This test has no studio: give it one (`fakeStudio`, `setTransport`).');
  },
  set: (value) => Object.defineProperty(window, 'dailies', { configurable: true, writable: true, value }),
});
const { requestAnimationFrame } = window;
const listeners = [window, document].map((target: EventTarget) => {
  const add = target.addEventListener;
  const heard: (() => void)[] = [];
  target.addEventListener = (...given) => {
    add.apply(target, given);
    // React hears this one itself, once for each document.
    if (given[0] !== 'selectionchange') heard.push(() => target.removeEventListener(...given));
  };
  return () => {
    target.addEventListener = add;
    for (const forget of heard) forget();
  };
});
const prototypes = [Element, HTMLElement, HTMLMediaElement, HTMLVideoElement, HTMLCanvasElement].map(
  ({ prototype }) => {
    const before = Object.getOwnPropertyDescriptors(prototype);
    return () => {
      for (const key of Object.keys(Object.getOwnPropertyDescriptors(prototype)))
        if (!(key in before)) Reflect.deleteProperty(prototype, key);
      Object.defineProperties(prototype, before);
    };
  },
);
afterAll(() => {
  for (const restore of [...listeners, ...prototypes]) restore();
  document.body.replaceChildren();
  localStorage.clear();
  sessionStorage.clear();
  window.location.hash = '';
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  Object.assign(window, { requestAnimationFrame });
});
