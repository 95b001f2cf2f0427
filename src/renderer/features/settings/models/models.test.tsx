import { beforeEach, expect, it } from 'vitest';
import { labels } from '../../../../../test/labels.ts';
import { fail } from '../../../../shared/contract/result.ts';
import type { ModelDependent, ModelEntry } from '../../../../shared/gateway/modelCalls.ts';
import { DEFAULT_PRICES } from '../../../../shared/money/price.ts';
import { useStudio } from '../../../app/index.ts';
import { aSavedProfile } from '../../../testing/aProfile.ts';
import { textOf, textsOf } from '../../../testing/find.ts';
import { type Answers, byText, click, clickOn, press, showOver, type, until } from '../../../testing/page.tsx';
import { SettingsPage } from '../SettingsPage.tsx';

/** Models and prices: what is stated, by whom, and what hangs on a model that ends. */

const ends = Date.UTC(new Date().getUTCFullYear() + 1, 11, 1);

const entry = (more: Partial<ModelEntry>): ModelEntry => ({ id: 'm', kind: 'video', sources: {}, shots: 0, ...more });

const MODELS = [
  entry({
    id: 'video-standard',
    first: true,
    last: false,
    references: 3,
    seconds: [4, 6, 8],
    sizes: ['1080p'],
    endsAt: ends,
    endsBy: 'service',
    sources: { endsAt: { by: 'service', field: 'shutdown_date' }, last: { by: 'user' } },
    shots: 2,
  }),
  entry({ id: 'video-next', endsAt: null, endsBy: 'service' }),
  entry({ id: 'language', kind: 'chat', contextTokens: 128_000 }),
];

const dependent = (more: Partial<ModelDependent>): ModelDependent => ({
  projectId: 'f',
  project: 'Last Ferry',
  shotId: 's1',
  number: 1,
  title: 'Pier',
  jobId: 'j1',
  take: 2,
  output: 0,
  clip: { id: 'a', mime: 'video/mp4', state: 'local' },
  until: ends,
  endedBy: 'model',
  ...more,
});
const SHOTS = [
  dependent({ shotId: 's3', number: 3, jobId: 'j3', take: 4, until: Date.now() + 18.5 * 3_600_000, endedBy: 'source' }),
  dependent({}),
];
const open = (answers: Answers = {}) =>
  showOver(<SettingsPage />, {
    'models.list': ({ profileId = 'p' }) => ({
      profileId,
      readAt: Date.now(),
      from: 'gateway.example/v1/models',
      listed: 9,
      models: MODELS,
      others: ['another'],
    }),
    'models.dependents': ({ model }) => ({
      profileId: 'p',
      model,
      ...(model === 'video-standard' ? { endsAt: ends } : {}),
      shots: model === 'video-standard' ? SHOTS : [],
      gone: 0,
    }),
    'prices.list': () => ({ prices: [...DEFAULT_PRICES] }),
    ...answers,
  });

beforeEach(() => {
  window.location.hash = '#/settings?section=models';
  useStudio.setState({
    profiles: [
      aSavedProfile({ name: 'Studio', key: 'memory' }),
      aSavedProfile({ id: 'q', name: 'Other', key: 'memory' }),
    ],
    activeProfileId: 'p',
    budgets: [],
    settings: { theme: 'dark' } as never,
  });
});

const rowOf = (id: string) => document.getElementById(`row-${id}`);

it('says what is stated and by whom, and never “no” where nobody says', async () => {
  await open();
  await until(() => expect(rowOf('video-standard')).not.toBeNull());
  const cells = [...(rowOf('video-standard')?.children ?? [])].map((cell) => cell.textContent);
  expect(cells.slice(1, 7)).toEqual(['yes', '–no', '3', '···not stated', '···not stated', '4 6 8 s, 1080p']);
  expect(rowOf('video-standard')?.textContent).toContain('$0.40unit not stated');
  expect(rowOf('video-next')?.textContent).toContain('none planned');
  expect(rowOf('language')?.textContent).toContain('128 k');
  expect(rowOf('video-next')?.textContent).toContain('$0.40–2.00unit not stated');
  byText('9 models listed', '.bar span');
  await until(() => byText('video-standard ends', 'h2'));
  expect(textOf('.top-line .t3')).toMatch(/^from the model list, shutdown_date, read /);
  expect(textOf('.facts')).toContain('Lastnoby hand');
});

it('lists the shots that the model alone can extend, those that are pressed for time first', async () => {
  await open();
  await until(() => byText('2 shots can be extended', '.said b'));
  const rows = [...document.querySelectorAll('.deps tbody tr')].map((row) => row.textContent);
  expect(rows).toEqual([
    expect.stringMatching(/^Last Ferry, shot 3.*18 hits source/),
    expect.stringMatching(/^Last Ferry, shot 1.*the model$/),
  ]);
});

it('arrows choose the model', async () => {
  await open();
  await until(() => expect(rowOf('video-standard')?.getAttribute('aria-selected')).toBe('true'));
  await press('ArrowDown', {}, document.querySelector('.mdl') as HTMLElement);
  await until(() => expect(rowOf('video-next')?.getAttribute('aria-selected')).toBe('true'));
});

it('reads the list again by R, and says why it could not', async () => {
  const studio = await open({
    'models.read': () => fail('unreachable', 'The list of models could not be read: no answer.'),
  });
  await until(() => byText(labels.readAgain));
  await press('r');
  await until(() => expect(studio.callsOf('models.read')).toEqual([{ profileId: 'p' }]));
  await until(() => byText('The list of models could not be read', '[role="alert"], .err, p'));
});

it('sets facts by hand in one sentence each, and gives others back', async () => {
  const studio = await open({ 'models.set': ({ profileId = 'p' }) => ({ profileId, models: MODELS, others: [] }) });
  await clickOn(labels.setByHand);
  const references = document.querySelectorAll<HTMLInputElement>('.dlg input[type="text"], .dlg .in input');
  await type(references[0] as HTMLInputElement, 'many');
  byText('References: must be a whole number from 0 to 16.', '.err');
  await click(byText(labels.save, '.dlg button'));
  expect(studio.callsOf('models.set')).toEqual([]);
  await type(references[0] as HTMLInputElement, '2');
  await click(byText(labels.save, '.dlg button'));
  await until(() =>
    expect(studio.callsOf('models.set')).toMatchObject([
      {
        profileId: 'p',
        model: 'video-standard',
        facts: { references: 2, last: false },
        forget: expect.arrayContaining(['endsAt', 'first', 'seconds']),
      },
    ]),
  );
});

it('what is set by hand is about the model that the dialog was opened for', async () => {
  let models = MODELS;
  const studio = await open({
    'models.list': () => ({ profileId: 'p', models, others: [] }),
    'models.set': () => ({ profileId: 'p', models: MODELS, others: [] }),
  });
  await clickOn(labels.setByHand, 'aside button');
  models = [entry({ id: 'sooner', endsAt: ends - 1, shots: 3 }), ...MODELS];
  await studio.emit({ type: 'profiles.changed' });
  await until(() => byText('sooner', 'aside h2'));
  byText(labels.byHandOf('video-standard'), '.dlg h2');
  await click(byText(labels.save, '.dlg button'));
  expect(studio.callsOf('models.set')).toMatchObject([{ profileId: 'p', model: 'video-standard' }]);
});

it('says nothing of an end that nobody states, where nothing hangs on the model', async () => {
  await open({ 'models.list': () => ({ profileId: 'p', models: [entry({ id: 'video-next' })], others: [] }) });
  await until(() => expect(rowOf('video-next')).not.toBeNull());
  expect(document.querySelector('.top-line')).toBeNull();
  byText('not read yet', '.bar span');
});

it('leads to the form for the price of the chosen model, and to settling where its own is open', async () => {
  await open();
  await until(() => byText(labels.choosePriceInSpend, 'a'));
  const href = (label: string, selector = 'a') => byText(label, selector).getAttribute('href');
  const ofVideo = '#/spend?price=video&model=video-standard&profile=p';
  expect([href(labels.setPriceInSpend), href(labels.setAPrice, '.mdlPage .bar a.narrow')]).toEqual([ofVideo, ofVideo]);
  expect(href(labels.choosePriceInSpend)).toBe('#/spend?profile=p');
  // Its price is made of those of other models.
  await click(rowOf('video-next') as HTMLElement);
  await until(() => byText('video-next', 'aside h2'));
  expect(textsOf('aside [aria-label="Price"] a')).toEqual([labels.setPriceInSpend]);
  await click(rowOf('language') as HTMLElement);
  await until(() => byText('language', 'aside h2'));
  expect(href(labels.setPriceInSpend)).toBe('#/spend?price=chat&model=language&profile=p');
});
