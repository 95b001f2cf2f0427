import { beforeEach, describe, expect, it } from 'vitest';
import { labels } from '../../../../test/labels.ts';
import { textOf, textsOf } from '../../testing/find.ts';
import { freshLibrary, openLibrary } from '../../testing/libraryPage.tsx';
import { acting, aJob, anAsset, byText, click, clickOn, until } from '../../testing/page.tsx';

beforeEach(freshLibrary);

describe('ancestry', () => {
  const picture = (id: string, name: string) => anAsset({ id, name });
  const all = [picture('take', 'The take'), picture('fr', 'Last frame'), picture('quay', 'The quay')];
  const [take, frame, quay] = all;
  const edit = picture('edit', 'The edit');

  it('names what went into a file and what came of it, level under level, and leads there', async () => {
    await openLibrary(all, {
      'library.ancestry': () => ({
        from: [
          { field: 'image', of: 'take', depth: 1, ...(frame && { asset: frame }) },
          { field: 'referenceImages.1', of: 'take', depth: 1, uri: 'https://bucket.example/coat.png' },
          { field: 'parent', of: 'fr', depth: 2, ...(quay && { asset: quay }) },
        ],
        made: [{ field: 'base', of: 'take', depth: 1, asset: edit }],
        truncated: true,
        cut: ['made'],
      }),
    });
    await click(byText(take?.name ?? '', '.tile'));
    await until(() => byText('The edit', '.anc button'));
    const lines = textsOf('.anc li > .row');
    expect(lines).toEqual([
      `${labels.lastFrame}${labels.firstFrame}`,
      'The quayFrame',
      'https://bucket.example/coat.pngReference 2',
      'The editEdit',
    ]);
    expect(document.querySelectorAll('.anc .anc')).toHaveLength(1);
    const cut = [...document.querySelectorAll('aside[aria-label=Details] .sec')].filter(({ textContent }) =>
      textContent?.includes('And more'),
    );
    expect(cut.map((section) => section.querySelector('h3')?.textContent)).toEqual(['Made from it']);
    await click(byText('The quay', '.anc button'));
    expect(window.location.hash).toContain('asset=quay');
  });
});

describe('what cannot be played', () => {
  const clip = anAsset({ id: 'v', name: 'The quay', mime: 'video/mp4', seconds: 4 });
  it.each([
    ['gone', ['v'], 'The file is missing.', false],
    ['not decodable', [], 'This format cannot be played here. Save a copy to play it elsewhere.', true],
  ])('says what is the matter where it is %s, and the way out', async (_, ids, sentence, isSaved) => {
    await openLibrary([clip], { 'library.gone': () => ({ ids }) });
    await clickOn('The quay', '.tile');
    await acting(() => document.querySelector('.mplayer video')?.dispatchEvent(new Event('error')));
    await until(() => expect(textOf('.mplayer')).toContain(sentence));
    expect(document.querySelectorAll('.mplayer a[download]')).toHaveLength(isSaved ? 1 : 0);
  });
});

const openOne = async (asset: ReturnType<typeof anAsset>) => {
  await openLibrary([asset]);
  await clickOn(asset.name, '.tile');
  await until(() => byText(labels.info, 'aside[aria-label=Details] .sec'));
};

it('a result says how it differs from what was ordered', async () => {
  const differs = [{ what: 'seconds' as const, ordered: '4 s', made: '8 s' }];
  await openOne(anAsset({ id: 'v', name: 'The pier', mime: 'video/mp4', seconds: 8, differs }));
  expect(byText(labels.notAsRequested, 'aside[aria-label=Details] dl').textContent).toContain(
    '4 s requested, 8 s made.',
  );
});

it('a file that cannot be displayed names its format, shows no broken picture, and can be saved', async () => {
  await openOne(anAsset({ id: 'v', name: 'The pier', mime: 'image/heic', width: 0, height: 0 }));
  const player = document.querySelector('.player');
  expect(player?.textContent).toContain('Dailies cannot display HEIC files.');
  expect(player?.querySelectorAll('a[download]')).toHaveLength(1);
  expect(document.querySelectorAll('img[src*="media/v"]')).toHaveLength(0);
});

it.each([
  ['The service has deleted it.', 'The service has deleted it.'],
  [undefined, 'The link has ended.'],
])('a download that was given up is told in one sentence (%s)', async (fault, sentence) => {
  await openOne(anAsset({ id: 'v', name: 'The pier', state: 'expired', ...(fault === undefined ? {} : { fault }) }));
  const storage = [...document.querySelectorAll('aside[aria-label=Details] .sec')].find(
    (section) => section.querySelector('h3')?.textContent === 'Storage',
  );
  expect([...(storage?.querySelectorAll('.t2') ?? [])].map(({ textContent }) => textContent)).toEqual([sentence]);
  expect(storage?.textContent).toContain('Lost');
  expect(storage?.textContent).not.toMatch(/expired|at the gateway/i);
});

describe('the seed', () => {
  const clip = anAsset({ id: 'v', name: 'The quay', mime: 'video/mp4', seconds: 4 });
  const request = { kind: 'video', model: 'video-standard', prompt: 'A quay', config: { seed: 70_001 } } as const;

  it.each([
    ['sent', aJob({ id: 'j', state: 'succeeded', request }), '70001'],
    [
      'not sent',
      aJob({ id: 'k', state: 'succeeded', request, omitted: ['seed'] }),
      'Not sent: this gateway takes no seed',
    ],
  ])('is told where it was %s', async (_, job, words) => {
    await openLibrary([{ ...clip, jobId: job.id }], { 'jobs.get': () => job });
    await clickOn('The quay', '.tile');
    await until(() => byText(labels.seed, 'aside[aria-label=Details] dt'));
    expect(byText(labels.seed, 'aside[aria-label=Details] dt').nextElementSibling?.textContent).toBe(words);
  });
});
