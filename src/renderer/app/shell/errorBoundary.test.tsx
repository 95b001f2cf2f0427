import { expect, it, vi } from 'vitest';
import { fakeStudio, show } from '../../testing/page.tsx';
import { ErrorBoundary } from './Shell.tsx';

it('a page that breaks is no proof that nothing was sent', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  fakeStudio({});
  const Broken = (): never => {
    throw new Error('The page broke while a take was ordered.');
  };
  await show(
    <ErrorBoundary name="Board">
      <Broken />
    </ErrorBoundary>,
  );
  expect(document.body.textContent).toContain('The page broke while a take was ordered.');
  expect(document.body.textContent).not.toMatch(/nothing was sent/i);
  vi.restoreAllMocks();
});
