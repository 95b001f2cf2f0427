import { useState } from 'react';
import { beforeEach, expect, it } from 'vitest';
import { labels } from '../../../../test/labels.ts';
import { fail } from '../../../shared/contract/result.ts';
import type { Job } from '../../../shared/jobs/job.ts';
import { cacheJobs, useJob } from '../../app/index.ts';
import { acting, aJob, byText, click, clickOn, fakeStudio, press, show, type, until } from '../../testing/page.tsx';
import { freshQueue } from '../../testing/queuePage.tsx';
import { EditJobDialog, forgetJobEdits } from './EditJobDialog.tsx';

/** A dialog that is left open while the job is edited elsewhere. */

const jobAt = (revision: number, prompt: string, durationSeconds: 4 | 8 = 4): Job =>
  aJob({
    ...{ id: 'a', revision },
    request: { kind: 'video', model: 'video-standard', prompt, config: { durationSeconds } },
  });
/** As the studio has it. */
let job: Job;

function Page() {
  const live = useJob('a');
  const [isOpen, setOpen] = useState(true);
  if (!live) return null;
  if (isOpen) return <EditJobDialog job={live} onClose={() => setOpen(false)} />;
  return (
    <button type="button" onClick={() => setOpen(true)}>
      {'Edit'}
    </button>
  );
}

/** The dialog with other words written into it; an edit is answered once `isThere`. */
async function write(words = 'A pier', isThere?: Promise<void>) {
  const studio = fakeStudio({
    'jobs.get': () => job,
    'ledger.estimate': () => ({ items: [], settled: true, estimateNano: 1, lowNano: 1, unpriced: 0 }),
    'jobs.edit': async ({ request, revision = 0 }) => {
      await isThere;
      if (revision < job.revision) return fail('conflict', 'revision: it was edited.', { field: 'revision' });
      job = { ...job, request, revision: job.revision + 1 };
      return job;
    },
  });
  cacheJobs([job]);
  await show(<Page />);
  await type(field(), words);
  const elsewhere = (next: Job) => {
    job = next;
    return studio.emit({ type: 'job.changed', job });
  };
  return { elsewhere, saved: () => studio.callsOf('jobs.edit') };
}

const field = () => document.querySelector('textarea') as HTMLTextAreaElement;
const alert = () => document.querySelector('[role=alert]');
const spend = () => press('Enter', { ctrlKey: true });
const save = async () => {
  await until(() => expect(byText(labels.saveTheChange).getAttribute('aria-disabled')).not.toBe('true'));
  await spend();
};
const edit = async () => {
  await clickOn('Edit', 'button');
  await until(() => expect(field()).not.toBeNull());
};

beforeEach(() => {
  job = jobAt(4, 'A quay');
  forgetJobEdits('a');
  freshQueue();
});

it('names the revision that it edits, and the price that is shown', async () => {
  const { saved } = await write();
  await save();
  const shown = { estimateNano: 1, lowNano: 1, unpriced: 0 };
  expect(saved()).toMatchObject([{ id: 'a', revision: 4, request: { prompt: 'A pier' }, shown }]);
});

it('leaves a field alone that was only edited elsewhere', async () => {
  const { saved, elsewhere } = await write();
  await elsewhere(jobAt(5, 'A quay', 8));
  await save();
  expect(saved()).toMatchObject([{ revision: 5, request: { prompt: 'A pier', config: { durationSeconds: 8 } } }]);
});

it.each([
  ['Use theirs', 'A lamp'],
  ['Keep mine', 'A pier'],
])('asks which words hold where both were edited: %s', async (choice, left) => {
  const { saved, elsewhere } = await write();
  await elsewhere(jobAt(5, 'A lamp'));
  expect(byText(labels.editedElsewhereMeanwhile, '[role=alert]').textContent).toContain('A lamp');
  expect(field().value).toBe('A pier');
  await spend();
  expect(saved()).toEqual([]);
  await click(byText(choice));
  expect([field().value, alert()]).toEqual([left, null]);
  if (left === 'A lamp') return;
  await save();
  expect(saved()).toMatchObject([{ revision: 5, request: { prompt: 'A pier' } }]);
});

it('that hears of the other edit only from the refusal shows it, and saves nothing', async () => {
  const { saved } = await write();
  job = jobAt(5, 'A lamp');
  await save();
  await until(() => byText(labels.editedElsewhereMeanwhile, '[role=alert]'));
  expect(job.request).toMatchObject({ prompt: 'A lamp' });
  expect(saved()).toHaveLength(1);
});

it('is left by Escape with what was written, until that is saved or canceled', async () => {
  const { saved } = await write();
  await press('Escape', {}, field());
  await edit();
  expect(field().value).toBe('A pier');
  await click(byText(labels.cancel));
  await edit();
  expect(field().value).toBe('A quay');
  await type(field(), 'A lamp');
  await save();
  await until(() => expect(saved()).toMatchObject([{ request: { prompt: 'A lamp' } }]));
  await edit();
  expect(field().value).toBe('A lamp');
});

it('what is written while the change is being saved lies over it the next time', async () => {
  const { promise, resolve: answer } = Promise.withResolvers<void>();
  const { saved } = await write('A pier', promise);
  await save();
  await until(() => expect(saved()).toHaveLength(1));
  await type(field(), 'A pier, at night');
  await acting(answer);
  await edit();
  expect([field().value, alert()]).toEqual(['A pier, at night', null]);
});
