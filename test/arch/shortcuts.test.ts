import { expect, test } from 'vitest';
import { inSource } from './source.ts';

/** What the table of actions cannot show: the part of the page that carries each out. */

const KEYS = 'src/renderer/app/keys/';
const filesOf = (isAsked: (file: string) => boolean) => inSource((_file, text) => text, isAsked).join('\n');
const tables = filesOf((file) => /(?:actions|everywhere)\.ts$/.test(file) && file.startsWith(KEYS));
const pages = filesOf((file) => file.startsWith('src/renderer/') && !/keys\/(?:actions|everywhere)\.ts$/.test(file));

/** Each action, and what its table says of it. */
const actions = [...tables.matchAll(/^ {2}'([\w.]+)': \w+\(((?:.|\n {3,})*)/gm)];

test('every action is done by a part of a page, or everywhere', () => {
  const undone = actions.filter(
    ([, id, said = '']) => !said.includes('run:') && !pages.includes(`'${id}'`) && !pages.includes(`"${id}"`),
  );
  expect(actions.length).toBeGreaterThan(150);
  expect(undone.map(([, id]) => id)).toEqual([]);
});

test('every place is that of a page: its keys are heard there alone', () => {
  const [, places = ''] =
    /const PLACES = (.*?) as const;\n\n/s.exec(filesOf((file) => file === `${KEYS}places.ts`)) ?? [];
  const said = [...pages.matchAll(/usePlace\((.*)\);/g)].join('\n');
  const silent = [...places.matchAll(/'(\w+)'/g)].filter(([name]) => !said.includes(name));
  // The board's tabs have their shortcuts by id.
  expect(silent.map(([, place]) => place)).toEqual(['board', 'cast', 'sound', 'seams']);
});
