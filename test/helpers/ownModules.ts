import { afterAll, vi } from 'vitest';

/**
 * Files of pages share a process, its window and the libraries; the modules of the program are loaded anew for each file, and what a file
 * has put into the window goes with it.
 */
vi.resetModules();
const { requestAnimationFrame } = window;
const undo = [window, document].map((target) => {
  const add = target.addEventListener;
  const heard: (() => void)[] = [];
  target.addEventListener = (...given: Parameters<typeof add>) => {
    add.apply(target, given);
    // React hears this one itself, once for each document.
    if (given[0] !== 'selectionchange') heard.push(() => target.removeEventListener(...given));
  };
  return () => {
    target.addEventListener = add;
    for (const forget of heard) forget();
  };
});
afterAll(() => {
  for (const forget of undo) forget();
  document.body.replaceChildren();
  localStorage.clear();
  sessionStorage.clear();
  window.location.hash = '';
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  Object.assign(window, { requestAnimationFrame });
});
