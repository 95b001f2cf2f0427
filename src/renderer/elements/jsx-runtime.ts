import * as react from 'react/jsx-runtime';
import { seenProps } from './seenProps.ts';

/**
 * React's elements, for every file of the pages: names come from services, files and people, and no place where one is drawn can forget
 * to show what is in it. What is prose and no name, such as the words of a chat, is drawn with React's own, as the head of such a file says.
 */
export type { JSX } from 'react';
export const { Fragment } = react;
export const jsx: typeof react.jsx = (type, props, key) => react.jsx(type, seenProps(type, props), key);
export const jsxs: typeof react.jsxs = (type, props, key) => react.jsxs(type, seenProps(type, props), key);
