import { expect, it, vi } from 'vitest';
import { useImages } from './useImages.ts';

it('what is typed for a picture and for an edit outlives a reload of the window', async () => {
  useImages.setState({ prompt: 'A quay in rain', editPrompt: 'No boats', mode: 'turbo' });
  vi.resetModules();
  const { useImages: reloaded } = await import('./useImages.ts');
  expect(reloaded).not.toBe(useImages);
  expect(reloaded.getState()).toMatchObject({ prompt: 'A quay in rain', editPrompt: 'No boats', mode: 'fast' });
});
