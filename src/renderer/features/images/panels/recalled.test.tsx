import { beforeEach, expect, it } from 'vitest';
import { labels } from '../../../../../test/labels.ts';
import { useStudio } from '../../../app/index.ts';
import { acting, aJob, byText, click, showOver } from '../../../testing/page.tsx';
import { useImages } from '../useImages.ts';
import { ImaginePanel } from './ImaginePanel.tsx';

const imagined = aJob({ kind: 'imagine', request: { kind: 'imagine', prompt: 'A lamp --ar 16:9', mode: 'turbo' } });

/** As a list brings one with a prompt of thousands of characters: without its flags at the end. */
const cut = { ...imagined, requestCut: true };

async function open(job = imagined) {
  await showOver(<ImaginePanel shownJob={job} />);
}

beforeEach(() => {
  useStudio.setState({ profiles: [], projects: [] });
  useImages.setState({ tab: 'imagine', prompt: 'A long one of mine', mode: 'fast', editPrompt: '' });
});

it('the words of the picture replace what was written, which can be had back until they are changed', async () => {
  await open();
  await click(byText(labels.reusePrompt));
  expect(useImages.getState().prompt).toBe('A lamp --ar 16:9');
  await click(byText(labels.undo, '.outcome button'));
  expect(useImages.getState().prompt).toBe('A long one of mine');
  await click(byText(labels.reusePrompt));
  byText(labels.undo, '.outcome button');
  await acting(() => useImages.setState({ prompt: 'A lamp at dusk' }));
  expect(document.querySelector('.outcome')).toBeNull();
});

it('the beginning of a long prompt is not recalled', async () => {
  await open(cut);
  expect(document.body.textContent).not.toContain('Recall this picture');
});
