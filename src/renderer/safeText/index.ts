export { createElement } from './createElement.ts';
