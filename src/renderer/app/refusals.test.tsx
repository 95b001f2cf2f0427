import { expect, it } from 'vitest';
import { fail } from '../../shared/contract/result.ts';
import { textOf } from '../testing/find.ts';
import { acting, showOver, until } from '../testing/page.tsx';
import { Toasts } from '../ui/index.ts';
import { saveVerdict } from './RatingChoice.tsx';

it.each([
  ['disk_full', 'The disk is full.', 'The disk is full.'],
  ['unreachable', 'The studio is away.', 'The change may have been made.'],
] as const)('what is refused is said on the page, and what may have been done too: %s', async (code, message, said) => {
  await showOver(<Toasts />, { 'jobs.judge': () => fail(code, message) });
  await acting(async () => expect(await saveVerdict('j', 'keep')).toBe(false));
  await until(() => expect(textOf('.toast.fail')).toContain(said));
});
