import { beforeEach, expect, it } from 'vitest';
import { aJobFigures } from '../../../../../test/helpers/jobFigures.ts';
import { labels } from '../../../../../test/labels.ts';
import type { EvidenceFault, EvidencePreview } from '../../../../shared/evidence/calls.ts';
import type { EvidenceRecord } from '../../../../shared/evidence/record.ts';
import type { Export } from '../../../../shared/film/filmExport.ts';
import type { ProfileView } from '../../../../shared/gateway/profile.ts';
import { useStudio } from '../../../app/index.ts';
import { useExportShown } from '../../../media/ExportNote.tsx';
import { labelled, textOf, textsOf } from '../../../testing/find.ts';
import { byText, click, clickOn, fakeStudio, press, show, until } from '../../../testing/page.tsx';
import { SpendPage } from '../SpendPage.tsx';

const figures = aJobFigures({
  ...{ operation: 'op_5e17c4', priceSource: 'your list', chargedNano: 800_000_000 },
  stated: { nano: 800_000_000, by: 'usage.cost', as: '0.80 USD' },
  made: { results: 1, bytes: 12, sha256s: ['d1409c'], seconds: 4, width: 1280, height: 720 },
  differs: [{ what: 'size', ordered: '1080p', made: '1280 × 720' }],
});

const record = (n: number, what: EvidenceRecord['what'], facts: EvidenceRecord['facts']): EvidenceRecord => ({
  at: figures.orderedAt + n * 1_000,
  what,
  facts,
});

const RECORDS = [
  record(1, 'ordered', { model: 'video-standard', nano: 400_000_000, words: 'A quay' }),
  record(2, 'answered', { outcome: 'accepted', status: 202, requestId: '<b>rq_93d0f2</b>' }),
  record(3, 'asked', { times: 41, answers: { running: 40, done: 1 } }),
];

const preview = (more: Partial<EvidencePreview> = {}): EvidencePreview => ({
  gateway: { name: 'Studio gateway', host: 'studio.example' },
  scope: { type: 'jobs', from: 1, to: 2 },
  sums: {
    ...{ orderedNano: 400_000_000, dueNano: 400_000_000, statedNano: 800_000_000, askedBackNano: 400_000_000 },
    ...{ unpriced: 0, stated: 1, billedNano: null, made: 1, refused: 0, differ: 1 },
  },
  jobs: 1,
  records: 3,
  differ: [{ jobId: 'job_1', title: 'Shot 2, take 9', figures, records: 3 }],
  agree: [],
  agreeNano: 0,
  hideable: { words: 1, names: 1, seeds: 0 },
  letter: ['To the billing desk of Studio gateway', 'We ask for $0.40 back.'],
  json: '{ "format": "dailies-evidence" }',
  bytes: 41_000,
  jsonBytes: 6_200,
  ...more,
});

const anExport: Export = {
  ...{ id: 'exp_1', revision: 1, kind: 'evidence', state: 'done', progress: 100, name: 'Evidence' },
  ...{ files: [], folder: '/f', createdAt: 1 },
};

function aStudio(answer: EvidencePreview = preview(), faults: EvidenceFault[] = []) {
  return fakeStudio({
    'evidence.preview': () => answer,
    'evidence.journal': () => ({ records: RECORDS, faults }),
    'evidence.dispute': () => anExport,
    'evidence.verify': ({ text }) => ({
      of: text === undefined ? 'journal' : 'file',
      whole: text === undefined,
      message: text === undefined ? 'Whole: 9 records of 2 jobs.' : 'Not whole.',
      jobs: 2,
      records: 9,
      faults: text === undefined ? [] : [{ where: 'file', message: 'Its bytes are not those that were saved.' }],
    }),
    'exports.get': () => anExport,
  });
}

beforeEach(() => {
  useExportShown.setState({ id: undefined });
  window.location.hash = '#/spend/evidence?job=job_1';
});

const rows = (table: string) => textsOf(`${table} tbody tr`);

it('a job: the four figures, what does not agree, and its records with what is taken out', async () => {
  const studio = aStudio();
  await show(<SpendPage />);
  await until(() => byText('Matches the ledger', '.evWhole'));
  expect(studio.callsOf('evidence.preview')).toEqual([{ jobIds: ['job_1'], redact: ['words', 'names'] }]);
  const shown = textOf('.figbar') ?? '';
  for (const part of ['Requested$0.40', 'Stated$0.80', 'Billed–Not on the bill', 'Refund due$0.40'])
    expect(shown).toContain(part);
  expect(rows('.facts')).toEqual([
    'Price$0.40your list$0.80Stated',
    'Size1080pRequested1280 × 720Made',
    'MatchLength, Sound, Number, Operation, 1 attempt',
  ]);
  expect(rows('.records')[0]).toContain('words');
  expect(rows('.records')[1]).toContain('Answered 202');
  expect(rows('.records')[1]).toContain('<b>rq_93d0f2</b>');
  expect(rows('.records')[2]).toContain('Status checked 41 timesrunning 40, done 1');
});

it('what is ticked is taken out of what is asked for and of what is saved, by keyboard', async () => {
  const studio = aStudio();
  await show(<SpendPage />);
  await until(() => byText(labels.seedsAndReferences, 'label'));
  await click(byText(labels.seedsAndReferences, 'label').querySelector('[role="checkbox"]') as HTMLElement);
  await until(() =>
    expect(studio.callsOf('evidence.preview').at(-1)).toMatchObject({ redact: ['words', 'names', 'seeds'] }),
  );
  await press('Enter', { ctrlKey: true });
  await until(() =>
    expect(studio.callsOf('evidence.dispute')).toEqual([{ jobIds: ['job_1'], redact: ['words', 'names', 'seeds'] }]),
  );
  await until(() => byText(labels.theEvidenceIsSaved, '.exportNote span'));
});

it('a month is of the active gateway, and another can be chosen', async () => {
  const studio = aStudio(preview({ jobs: 2 }));
  const profiles = [
    { id: 'one', name: 'Studio gateway' },
    { id: 'two', name: 'Second gateway' },
  ] as ProfileView[];
  useStudio.setState({ profiles, activeProfileId: 'one' });
  window.location.hash = '#/spend/evidence?month=2026-12';
  await show(<SpendPage />);
  await until(() => expect(labelled('Gateway').textContent).toContain('Studio gateway'));
  await click(labelled('Gateway'));
  await clickOn('Second gateway', '[role="option"]');
  await until(() =>
    expect(studio.callsOf('evidence.preview').at(-1)).toMatchObject({ month: '2026-12', profileId: 'two' }),
  );
});

it('the letter and the file are shown before they are saved', async () => {
  aStudio();
  await show(<SpendPage />);
  await until(() => byText('We ask for $0.40 back.', '.letter p'));
  byText('"dailies-evidence"', '.json');
});

it('records that the ledger does not agree with are told of', async () => {
  aStudio(preview(), [{ where: 'job_1', message: 'The ledger has $0.80.' }]);
  await show(<SpendPage />);
  await until(() => byText('The ledger has $0.80.', '.grp .fail'));
});

it('V verifies a file, which is read here, and all records', async () => {
  const studio = aStudio();
  await show(<SpendPage />);
  await until(() => byText(labels.records, '.grp'));
  await press('v');
  await clickOn(labels.allRecordsOnThisComputer, 'button');
  await until(() => byText('Whole: 9 records of 2 jobs.', '[role="status"]'));
  const input = document.querySelector('input[type="file"]') as HTMLInputElement;
  Object.defineProperty(input, 'files', { value: [new File(['{"changed":1}'], 'evidence.json')], configurable: true });
  input.dispatchEvent(new Event('change', { bubbles: true }));
  await until(() => byText('Its bytes are not those that were saved.', '.faults li'));
  expect(studio.callsOf('evidence.verify')).toEqual([{}, { text: '{"changed":1}' }]);
});

it('an empty file is read as what it is, one that is no text or too long is not', async () => {
  const studio = aStudio();
  await show(<SpendPage />);
  await until(() => byText(labels.records, '.grp'));
  await press('v');
  await until(() => byText(labels.allRecordsOnThisComputer, 'button'));
  const input = document.querySelector('input[type="file"]') as HTMLInputElement;
  const choose = (file: File) => {
    Object.defineProperty(input, 'files', { value: [file], configurable: true });
    input.dispatchEvent(new Event('change', { bubbles: true }));
  };
  choose(new File([''], 'evidence.json'));
  await until(() => expect(studio.callsOf('evidence.verify')).toEqual([{ text: '' }]));
  choose(new File([new Uint8Array([0x7b, 0xff, 0x7d])], 'evidence.json'));
  await until(() => byText('The file was changed.', '[role="alert"]'));
  choose(Object.defineProperty(new File(['x'], 'evidence.json'), 'size', { value: 48_000_001 }));
  await until(() => byText('The file is too long.', '[role="alert"]'));
  expect(studio.callsOf('evidence.verify')).toHaveLength(1);
});

it('a night: what does not agree first, then what does', async () => {
  window.location.hash = '#/spend/evidence?night=run_1';
  const agreeing = { ...figures, differs: [], due: { nano: 800_000_000, lowNano: 800_000_000 } };
  const studio = aStudio(
    preview({
      jobs: 2,
      scope: { type: 'night', name: '25', from: figures.orderedAt, to: figures.orderedAt + 7_200_000 },
      agree: [{ jobId: 'job_2', title: 'Lighthouse, fog', figures: agreeing, records: 7 }],
    }),
  );
  await show(<SpendPage />);
  await until(() => byText(labels.differences, '.grp'));
  expect(studio.callsOf('evidence.preview')).toEqual([{ nightId: 'run_1', redact: ['words', 'names'] }]);
  const [odd, agrees] = textsOf('.many');
  expect(odd).toContain('Shot 2, take 9video-standard$0.40 1280 × 720$0.80–+$0.40');
  expect(agrees).toContain('Lighthouse, fog');
  // An order in doubt is among them, so they are not said to agree.
  expect(agrees).toMatch(/^No difference found/);
});
