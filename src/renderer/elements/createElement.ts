import * as react from 'react';
import { seenProps } from './seenProps.ts';

/** The same as `jsx-runtime`, for elements whose `key` stands behind spread properties: those are made in the older way. */
export const createElement = ((type: string, props: react.Attributes | null, ...children: react.ReactNode[]) => {
  const seen = seenProps<{ children: react.ReactNode[] }>(type, { children });
  return react.createElement(type, seenProps(type, props), ...seen.children);
}) as typeof react.createElement;
