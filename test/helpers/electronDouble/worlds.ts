import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const source = (name: string) => readFileSync(join(import.meta.dirname, name), 'utf8');

/** Structured clones as JSON. */
export interface Clones {
  /** Throws Electron's error if it could not clone the value. */
  pack(value: unknown): unknown;
  unpack(packed: unknown): unknown;
}

const CLONES = source('clone.js');

export const clones = new Function(`const clones = ${CLONES}\nreturn clones;`)() as Clones;

/** Electron runs a preload in top frames only. */
const inTopFrame = (script: string) => `if (window === window.top) {const clones = ${CLONES}\n${script}}`;

export const MAIN_WORLD = inTopFrame(source('mainWorld.js'));

/** The script for the isolated world: the built CommonJS preload. */
export const isolatedSource = (preload: string): string =>
  inTopFrame(`
    const electron = ${source('isolatedWorld.js')}
    const require = (name) => {
      if (name === 'electron') return electron;
      throw new Error('A sandboxed preload cannot require ' + name);
    };
    const module = { exports: {} };
    (function (require, module, exports) {${preload}\n})(require, module, module.exports);
  `);
