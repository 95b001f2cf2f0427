import * as react from 'react';
import { safeProps } from './safeProps.ts';

/** For elements whose `key` follows spread properties: React's JSX transform calls `createElement` for those. */
export const createElement = ((type: string, props: react.Attributes | null, ...children: react.ReactNode[]) => {
  const seen = safeProps<{ children: react.ReactNode[] }>(type, { children });
  return react.createElement(type, safeProps(type, props), ...seen.children);
}) as typeof react.createElement;
