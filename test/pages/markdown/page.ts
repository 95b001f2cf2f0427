import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import ReactMarkdown from 'react-markdown';

/** Plain react-markdown, for the bench: what a chat is that draws every answer anew with each piece of it. */
const place = document.querySelector('#root');
if (!place) throw new Error('no place');
const root = createRoot(place);
let text = '';

Object.assign(window, {
  handles: {
    add: (piece: string): void => {
      text += piece;
      root.render(createElement(ReactMarkdown, null, text));
    },
    clear: (): void => root.render(null),
    /** In ms, from the call until the last of them is painted. */
    show: async (messages: readonly string[]): Promise<number> => {
      const start = performance.now();
      root.render(messages.map((message, key) => createElement(ReactMarkdown, { key }, message)));
      const isThere = () => place.textContent?.includes('The last one.');
      const frame = () => new Promise(requestAnimationFrame);
      while (!isThere()) await frame();
      await frame();
      return performance.now() - start;
    },
  },
});
