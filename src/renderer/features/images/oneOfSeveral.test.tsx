import { beforeEach, expect, it } from 'vitest';
import { labels } from '../../../../test/labels.ts';
import { useEntities, useStudio } from '../../app/index.ts';
import { textOf } from '../../testing/find.ts';
import { aJob, anAsset, byText, click, fakeStudio, show, until } from '../../testing/page.tsx';
import { ImagesPage } from './ImagesPage.tsx';
import { EditPanel } from './panels/EditPanel.tsx';
import { useImages } from './useImages.ts';

beforeEach(() => {
  useEntities.setState({ jobs: new Map(), assets: new Map() });
  useStudio.setState({ profiles: [], projects: [] });
  useImages.setState({ tab: 'imagine', assetId: undefined, prompt: '', editPrompt: '' });
});

const words = (panel: string): string => textOf(`[aria-label="${panel}"]`) ?? '';

/** A task with such outputs. */
const taskOf = (...roles: ('output' | 'grid')[]) =>
  aJob({
    id: 'task',
    kind: 'imagine',
    state: 'succeeded',
    outputs: roles.map((role, n) => anAsset({ id: `${role}-${n + 1}`, role, jobId: 'task' })),
  });

async function showSecond(job: ReturnType<typeof taskOf>, id = 'output-2'): Promise<void> {
  fakeStudio({
    'jobs.list': () => ({ jobs: [job], total: 1 }),
    'jobs.get': () => job,
    'library.list': () => ({ assets: [], total: 0 }),
    'library.get': ({ id }) => job.outputs.find((one) => one.id === id) ?? anAsset({ id }),
  });
  window.location.hash = `#/images?asset=${id}`;
  await show(<ImagesPage />);
  await until(() => byText(labels.paintAMaskAndEdit));
}

it('one of several pictures says beforehand that it cannot be edited, and leads to their sheet', async () => {
  await showSecond(taskOf('output', 'output', 'output', 'output', 'grid'));
  expect(words('Picture')).toContain('Edits apply to another picture of this job.');
  await click(byText(labels.openThePicture));
  await until(() => expect(useImages.getState().assetId).toBe('grid-5'));
  expect(words('Picture')).not.toContain('An edit names a task');
});

it('where there is no sheet, none of them can be edited', async () => {
  const job = taskOf('output', 'output');
  await showSecond(job);
  const none = 'This picture cannot be edited: its job has no image sheet.';
  expect(words('Picture')).toContain(none);
  const asset = job.outputs[1] ?? anAsset();
  expect((await show(<EditPanel asset={asset} job={job} />)).textContent).toContain(none);
});

it('the only picture of a task has nothing of that', async () => {
  await showSecond(taskOf('grid', 'output'));
  expect(words('Picture')).not.toContain('An edit names a task');
});

it('the sheet of one picture says that only the picture can be edited, and leads to it', async () => {
  await showSecond(taskOf('grid', 'output'), 'grid-1');
  expect(words('Picture')).toContain('Edits apply to another picture of this job.');
  await click(byText(labels.openThePicture));
  await until(() => expect(useImages.getState().assetId).toBe('output-2'));
});
