import { useState } from 'react';
import { beforeEach, expect, it } from 'vitest';
import { labels } from '../../../../test/labels.ts';
import type { Job } from '../../../shared/job.ts';
import { fail } from '../../../shared/result.ts';
import { cacheJobs, useEntities, useJob, useStudio } from '../../app/index.ts';
import {
  acting,
  aJob,
  byText,
  click,
  clickOn,
  type FakeStudio,
  fakeStudio,
  press,
  show,
  type,
  until,
} from '../../testing/page.tsx';
import { EditJobDialog } from './EditJobDialog.tsx';
import { forgetJobEdits } from './jobEdits.ts';

/** A dialog that is left open while the job is edited elsewhere. */

const opened = aJob({
  id: 'a',
  revision: 4,
  request: { kind: 'video', model: 'video-standard', prompt: 'A quay', config: { durationSeconds: 4 } },
});
const edited = (prompt: string, durationSeconds: 4 | 6 | 8, revision: number): Job => ({
  ...opened,
  revision,
  request: { kind: 'video', model: 'video-standard', prompt, config: { durationSeconds } },
});
/** As the studio has it. */
let job = opened;

function Page() {
  const live = useJob('a');
  const [isOpen, setOpen] = useState(true);
  if (!live) return null;
  if (!isOpen)
    return (
      <button type="button" onClick={() => setOpen(true)}>
        {'Edit'}
      </button>
    );
  return <EditJobDialog job={live} onClose={() => setOpen(false)} />;
}

/** What the answer to an edit waits for. */
interface Held {
  hold?: Promise<void>;
}

async function open(): Promise<FakeStudio & Held> {
  const held: Held = {};
  const studio = fakeStudio({
    'jobs.get': () => job,
    'ledger.estimate': () => ({ items: [], settled: true, estimateNano: 1, lowNano: 1, unpriced: 0 }),
    'jobs.edit': async ({ request, revision = 0 }) => {
      await held.hold;
      if (revision < job.revision) return fail('conflict', 'revision: it was edited.', { field: 'revision' });
      job = { ...job, request, revision: job.revision + 1 };
      return job;
    },
  });
  cacheJobs([job]);
  await show(<Page />);
  return Object.assign(held, studio);
}

const words = () => document.querySelector('textarea') as HTMLTextAreaElement;
const save = () => byText(labels.saveTheChange);
const canSave = () => until(() => expect(save().getAttribute('aria-disabled')).not.toBe('true'));
const editedElsewhere = async (studio: FakeStudio, next: Job) => {
  job = next;
  await studio.emit({ type: 'job.changed', job });
};
const saved = (studio: FakeStudio) => studio.callsOf('jobs.edit').at(-1);

beforeEach(() => {
  job = opened;
  forgetJobEdits('a');
  useEntities.setState({ jobs: new Map(), assets: new Map() });
  useStudio.setState({ profiles: [], projects: [] });
});

it('names the revision that it edits', async () => {
  const studio = await open();
  await type(words(), 'A pier');
  await canSave();
  await press('Enter', { ctrlKey: true });
  expect(saved(studio)).toMatchObject({ id: 'a', revision: 4, request: { prompt: 'A pier' } });
});

it('leaves a field alone that was only edited elsewhere', async () => {
  const studio = await open();
  await type(words(), 'A pier');
  await editedElsewhere(studio, edited('A quay', 8, 5));
  await canSave();
  await press('Enter', { ctrlKey: true });
  expect(saved(studio)).toMatchObject({ revision: 5, request: { prompt: 'A pier', config: { durationSeconds: 8 } } });
});

it.each([
  ['Take that over', 'A lamp'],
  ['Keep mine', 'A pier'],
])('asks which words hold where both were edited: %s', async (choice, left) => {
  const studio = await open();
  await type(words(), 'A pier');
  await editedElsewhere(studio, edited('A lamp', 4, 5));
  expect(byText(labels.editedElsewhereMeanwhile, '[role=alert]').textContent).toContain('Words nowA lamp');
  expect(words().value).toBe('A pier');
  await press('Enter', { ctrlKey: true });
  expect(studio.callsOf('jobs.edit')).toEqual([]);
  await click(byText(choice));
  expect(words().value).toBe(left);
  expect(document.querySelector('[role=alert]')).toBeNull();
  if (left === 'A lamp') return;
  await canSave();
  await press('Enter', { ctrlKey: true });
  expect(saved(studio)).toMatchObject({ revision: 5, request: { prompt: 'A pier' } });
});

it('that hears of the other edit only from the refusal shows it, and saves nothing', async () => {
  const studio = await open();
  await type(words(), 'A pier');
  job = edited('A lamp', 4, 5);
  await canSave();
  await press('Enter', { ctrlKey: true });
  await until(() => byText(labels.editedElsewhereMeanwhile, '[role=alert]'));
  expect(job.request).toMatchObject({ prompt: 'A lamp' });
  expect(studio.callsOf('jobs.edit')).toHaveLength(1);
});

it('is left by Escape with what was written, until that is saved or canceled', async () => {
  const studio = await open();
  const edit = async () => {
    await clickOn('Edit', 'button');
    await until(() => expect(words()).not.toBeNull());
  };
  await type(words(), 'A pier');
  await press('Escape', {}, words());
  await edit();
  expect(words().value).toBe('A pier');
  expect(document.querySelector('.edit-job')?.textContent).toContain('It is not saved yet.');
  await click(byText(labels.cancel));
  await edit();
  expect(words().value).toBe('A quay');
  await type(words(), 'A lamp');
  await canSave();
  await press('Enter', { ctrlKey: true });
  await until(() => expect(saved(studio)).toMatchObject({ request: { prompt: 'A lamp' } }));
  await edit();
  expect(words().value).toBe('A lamp');
  expect(document.querySelector('.edit-job')?.textContent).not.toContain('It is not saved yet.');
});

/** Relative: what was written while the change was being saved was gone, or asked about as if it were another's. */
it('what is written while the change is being saved lies over it the next time', async () => {
  const studio = await open();
  let answer = (): void => {};
  studio.hold = new Promise<void>((done) => (answer = done));
  await type(words(), 'A pier');
  await canSave();
  await press('Enter', { ctrlKey: true });
  await until(() => expect(studio.callsOf('jobs.edit')).toHaveLength(1));
  await type(words(), 'A pier, at night');
  await acting(answer);
  await clickOn('Edit', 'button');
  expect(words().value).toBe('A pier, at night');
  expect(document.querySelector('[role=alert]')).toBeNull();
});
