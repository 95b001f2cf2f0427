import { beforeEach, expect, it } from 'vitest';
import { labels } from '../../../../test/labels.ts';
import { useEntities } from '../../app/index.ts';
import { setCompareView } from '../../media/compare/compareView.ts';
import { aJob, anAsset, byText, click, showOver, until } from '../../testing/page.tsx';
import {
  chooseNone,
  compareChosen,
  toggleChosen,
  useChosenLetter,
  useCompared,
  useWhyNotCompared,
} from './compared.ts';
import { ComparedPanel } from './panels/ComparedPanel.tsx';
import { useImages } from './useImages.ts';

const pictures = ['a', 'b', 'c', 'd', 'e'].map((id) => anAsset({ id, name: id, createdAt: 0 }));
const [a, b] = pictures as [(typeof pictures)[0], (typeof pictures)[0]];

function Page() {
  const compared = useCompared();
  return (
    <>
      <p id="why">{useWhyNotCompared()}</p>
      <p id="letters">{[useChosenLetter('a'), useChosenLetter('b')].join()}</p>
      <p id="compared">{compared?.map(({ id }) => id).join()}</p>
      {compared && <ComparedPanel pictures={compared} />}
    </>
  );
}
const text = (id: string) => document.getElementById(id)?.textContent;

beforeEach(async () => {
  useEntities.setState({ jobs: new Map(), assets: new Map() });
  useImages.setState({ tab: 'imagine', prompt: 'mine', mode: 'fast' });
  chooseNone();
  const request = { kind: 'imagine', prompt: 'Quay {x|y} --ar 2:3 --seed 7', mode: 'turbo' } as const;
  await showOver(<Page />, { 'jobs.get': ({ id }) => aJob({ id, kind: 'imagine', state: 'succeeded', request }) });
});

it('two to four are compared, a fifth is not taken in, and swapped sides swap their letters', async () => {
  toggleChosen(a);
  await until(() => expect(text('why')).toBe('Choose two to four pictures.'));
  for (const picture of pictures.slice(1)) toggleChosen(picture);
  expect(useImages.getState().comparison.ids).toEqual(['a', 'b', 'c', 'd']);
  for (const picture of pictures.slice(2, 4)) toggleChosen(picture);
  compareChosen();
  await until(() => expect([text('compared'), text('letters')]).toEqual(['a,b', 'A,B']));
  setCompareView({ isSwapped: true });
  await until(() => expect([text('compared'), text('letters')]).toEqual(['b,a', 'B,A']));
});

it('a picture that was made is remixed without its words; one that was brought in has no prompt, and it is said', async () => {
  toggleChosen({ ...a, jobId: 'j' });
  toggleChosen(b);
  compareChosen();
  await until(() => expect(byText(labels.remixAllButTheWords).getAttribute('aria-description')).toBeNull());
  await click(byText(labels.remixAllButTheWords));
  expect(useImages.getState()).toMatchObject({ prompt: '--ar 2:3 --seed 7', mode: 'turbo' });
  await click(byText(labels.remixAllButTheSeed));
  expect(useImages.getState().prompt).toBe(String.raw`Quay \{x\|y\} --ar 2:3`);
  await click(byText('B', '[role="radio"]'));
  await until(() =>
    expect(byText(labels.recallAll).getAttribute('aria-description')).toBe(
      'This picture was brought in: it has no prompt.',
    ),
  );
});
