import * as react from 'react/jsx-dev-runtime';
import { seenProps } from './seenProps.ts';

/** The same as `jsx-runtime`, with React's checks. */
export type { JSX } from 'react';
export const { Fragment } = react;
export const jsxDEV: typeof react.jsxDEV = (type, props, ...rest) =>
  react.jsxDEV(type, seenProps(type, props), ...rest);
