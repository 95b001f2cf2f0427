import * as react from 'react/jsx-dev-runtime';
import { safeProps } from './safeProps.ts';

/** `jsx-runtime` with React's checks. */
export type { JSX } from 'react';
export const { Fragment } = react;
export const jsxDEV: typeof react.jsxDEV = (type, props, ...rest) =>
  react.jsxDEV(type, safeProps(type, props), ...rest);
