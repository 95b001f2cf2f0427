import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import ReactMarkdown from 'react-markdown';

/** Plain react-markdown for the bench: each piece redraws the whole answer. */
const place = document.querySelector('#root');
if (!place) throw new Error('no place');
const root = createRoot(place);
let text = '';

/** Shown when the button is clicked. */
let next: readonly string[] = [];
document
  .querySelector('button')
  ?.addEventListener('click', () =>
    root.render(
      next.map((message, key) =>
        createElement('article', { key, 'data-message': key }, createElement(ReactMarkdown, null, message)),
      ),
    ),
  );

Object.assign(window, {
  handles: {
    add: (piece: string): void => {
      text += piece;
      root.render(createElement(ReactMarkdown, null, text));
    },
    prepare: (messages: readonly string[]): void => {
      root.render(null);
      next = messages;
    },
  },
});
