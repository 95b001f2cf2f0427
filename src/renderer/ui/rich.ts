import { Fragment, type ReactNode } from 'react';
import { type Counted, textParts } from '../../shared/text/texts.ts';
import { createElement } from '../safeText/index.ts';

/** A translated text that contains elements: ``rich`Ends on ${<b>{day}</b>}.` ``. The language decides their order. */
export function rich(strings: TemplateStringsArray, ...values: (ReactNode | Counted)[]): ReactNode {
  return createElement(Fragment, null, ...textParts<ReactNode>(strings, values));
}
