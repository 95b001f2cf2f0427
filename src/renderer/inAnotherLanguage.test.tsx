import { afterAll, expect, it, vi } from 'vitest';
import { fail, parseInput, type Result } from '../shared/contract/result.ts';
import { videoConfigSchema } from '../shared/kinds/videoConfig.ts';
import { setLanguage, t } from '../shared/text/texts.ts';
import { useShortcut } from './app/keys/shortcuts.ts';
import { press, show } from './testing/page.tsx';
import { Dialog } from './ui/index.ts';
import { errorText } from './words/index.ts';

/** What the program reads itself stays as it is in a language that has words for everything. */

// Before the modules are loaded that keep texts, as the page does it.
await vi.hoisted(async () => {
  const [texts, { pseudoLanguage }] = await Promise.all([
    import('../shared/text/texts.ts'),
    import('../shared/text/language.ts'),
  ]);
  texts.setLanguage(pseudoLanguage());
});
afterAll(() => setLanguage(undefined));

it('a dialog opens with the focus in its first control', async () => {
  await show(
    <Dialog open onClose={() => undefined} title="Гавань">
      <input name="first" />
    </Dialog>,
  );
  expect(document.activeElement?.getAttribute('name')).toBe('first');
});

it.each([
  ['ArrowLeft', 'board.frameBack'],
  ['ArrowRight', 'board.frameForward'],
  ['ArrowUp', 'review.shotBefore'],
  ['ArrowDown', 'review.shotAfter'],
] as const)('%s is still the key of %s', async (key, action) => {
  const moved = vi.fn();
  function Page() {
    useShortcut(action, moved);
    return null;
  }
  await show(<Page />);
  await press(key);
  expect(moved).toHaveBeenCalledOnce();
});

const textOf = (refused: Result<unknown>): string => (refused.ok ? '' : errorText(refused.error));

it('a rule names its field, and a sentence stands by itself', () => {
  const rule = textOf(parseInput(videoConfigSchema, { sampleCount: 9 }));
  expect(rule).toBe(`${t`Variations`} must be at most 4.`);
  expect(textOf(fail('conflict', t`The price is higher.`, { field: 'shown' }))).toBe(t`The price is higher.`);
});
