import * as react from 'react/jsx-runtime';
import { safeProps } from './safeProps.ts';

/**
 * The JSX runtime of all pages. Text from gateways, files and people may contain characters that are invisible or change the direction of
 * the text around them: every element shows them, so no page has to remember it. Prose, such as the words of a chat, is drawn with React's
 * own runtime, which the head of such a file names.
 */
export type { JSX } from 'react';
export const { Fragment } = react;
export const jsx: typeof react.jsx = (type, props, key) => react.jsx(type, safeProps(type, props), key);
export const jsxs: typeof react.jsxs = (type, props, key) => react.jsxs(type, safeProps(type, props), key);
