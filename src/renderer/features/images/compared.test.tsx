import { beforeEach, expect, it } from 'vitest';
import { useEntities } from '../../app/index.ts';
import { anAsset, showOver, until } from '../../testing/page.tsx';
import { chooseNone, compareChosen, toggleChosen, useChosenLetter } from './compared.ts';
import { useImages } from './useImages.ts';

const pictures = ['a', 'b', 'c', 'd', 'e'].map((id) => anAsset({ id, name: id, createdAt: 0 }));

const Page = () => <p>{[useChosenLetter('a'), useChosenLetter('b'), useChosenLetter('e')].join()}</p>;

beforeEach(async () => {
  useEntities.setState({ jobs: new Map(), assets: new Map() });
  chooseNone();
  await showOver(<Page />, {});
});

it('up to four pictures are chosen under letters, and are compared on the page that rates takes', async () => {
  for (const picture of pictures) toggleChosen(picture);
  expect(useImages.getState().compared).toEqual(['a', 'b', 'c', 'd']);
  await until(() => expect(document.body.textContent).toContain('A,B,'));
  for (const picture of pictures.slice(2, 4)) toggleChosen(picture);
  compareChosen();
  expect(window.location.hash).toBe('#/review?assets=a%2Cb&from=images');
});
