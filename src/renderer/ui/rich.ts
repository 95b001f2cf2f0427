import { Fragment, type ReactNode } from 'react';
import { type Counted, textParts } from '../../shared/text/texts.ts';
import { createElement } from '../safeText/index.ts';

/** A text of the program with elements of the page in it: ``rich`Ends on ${<b>{day}</b>}.` ``. The other language decides on their order. */
export function rich(strings: TemplateStringsArray, ...values: (ReactNode | Counted)[]): ReactNode {
  return createElement(Fragment, null, ...textParts<ReactNode>(strings, values));
}
