import { beforeEach, expect, it } from 'vitest';
import { labels } from '../../../../../test/labels.ts';
import { fail } from '../../../../shared/contract/result.ts';
import type { ModelDependent, ModelEntry } from '../../../../shared/gateway/modelCalls.ts';
import { DEFAULT_PRICES } from '../../../../shared/money/price.ts';
import { useStudio } from '../../../app/index.ts';
import { aSavedProfile } from '../../../testing/aProfile.ts';
import { labelled, says, textOf } from '../../../testing/find.ts';
import { type Answers, byText, click, clickOn, showOver, type, until } from '../../../testing/page.tsx';
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
  window.location.hash = '#/settings?tab=models';
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

const rowOf = (id: string) => byText(id, '.models b').closest('tr') as HTMLElement;
const edit = (id: string) => click(labelled(labels.editModel(id)));

it('says what is stated and its price, and never “no” where nobody says', async () => {
  await open();
  await until(() => rowOf('video-standard'));
  const cells = (id: string) => [...rowOf(id).children].map((cell) => cell.textContent);
  expect(cells('video-standard').slice(1, 4)).toEqual([
    'First frame, 3 references, 4 6 8 s, 1080p. Without: Last frame',
    '$0.40 per second / $0.40 per video Set unit',
    'up to $1.60',
  ]);
  expect(cells('video-next').slice(1, 2)).toEqual(['Not stated']);
  expect(cells('language').slice(1, 2)).toEqual(['128 k']);
});

it('lists the shots that the model alone can extend, those that are pressed for time first', async () => {
  await open();
  await until(() => byText('Shots that only video-standard can extend', 'h2'));
  const rows = [...document.querySelectorAll('.deps tbody tr')].map((row) => row.textContent);
  expect(rows).toEqual([
    expect.stringMatching(/^Last Ferry, shot 3.*18 hClip at the gateway/),
    expect.stringMatching(/^Last Ferry, shot 1.*Model$/),
  ]);
});

it('reads the list again, and says why it could not', async () => {
  const studio = await open({
    'models.read': () => fail('unreachable', 'The list of models could not be read: no answer.'),
  });
  await clickOn(labels.loadModels);
  await until(() => expect(studio.callsOf('models.read')).toEqual([{ profileId: 'p' }]));
  await says('The list of models could not be read');
});

it('sets facts by hand in one sentence each, and gives others back', async () => {
  const studio = await open({ 'models.set': ({ profileId = 'p' }) => ({ profileId, models: MODELS, others: [] }) });
  await until(() => rowOf('video-standard'));
  await edit('video-standard');
  const references = document.querySelector<HTMLInputElement>('.dlg .in input');
  await type(references as HTMLInputElement, 'many');
  byText('References: 0 to 16', '.err');
  await click(byText(labels.save, '.dlg button'));
  expect(studio.callsOf('models.set')).toEqual([]);
  await type(references as HTMLInputElement, '2');
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

it('what is set by hand is about the model that the dialog was opened for, beside what the gateway says', async () => {
  let models = MODELS;
  const studio = await open({
    'models.list': () => ({ profileId: 'p', models, others: [] }),
    'models.set': () => ({ profileId: 'p', models: MODELS, others: [] }),
  });
  await until(() => rowOf('video-standard'));
  await edit('video-standard');
  expect(textOf('.dlg')).toContain(`Gateway: ${new Date(ends).toISOString().slice(0, 10)}`);
  models = [entry({ id: 'sooner', endsAt: ends - 1, shots: 3 }), ...MODELS];
  await studio.emit({ type: 'profiles.changed' });
  await until(() => rowOf('sooner'));
  await click(byText(labels.save, '.dlg button'));
  expect(studio.callsOf('models.set')).toMatchObject([{ profileId: 'p', model: 'video-standard' }]);
});

it('adds a model by hand', async () => {
  const studio = await open({ 'profiles.save': () => aSavedProfile({}) });
  await clickOn(labels.addModel);
  await type(document.querySelector('.dlg input') as HTMLInputElement, 'another');
  await click(byText(labels.addModel, '.dlg button'));
  await until(() =>
    expect(studio.callsOf('profiles.save')).toMatchObject([
      { id: 'p', models: expect.arrayContaining([{ id: 'another', kind: 'video' }]) },
    ]),
  );
});

it('leads to the form for the price of a model', async () => {
  await open();
  await until(() => rowOf('video-standard'));
  const href = (id: string) => rowOf(id).querySelector('a')?.getAttribute('href');
  await until(() => expect(href('video-standard')).toBe('#/spend?price=video&model=video-standard&profile=p'));
  expect(href('language')).toBe('#/spend?price=chat&model=language&profile=p');
});
