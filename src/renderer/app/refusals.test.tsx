import { expect, it } from 'vitest';
import { fail } from '../../shared/result.ts';
import { textOf } from '../testing/find.ts';
import { acting, showOver, until } from '../testing/page.tsx';
import { Toasts } from '../ui/index.ts';
import { saveVerdict } from './saveVerdict.ts';

const shown = () => textOf('.toast.fail') ?? '';

it('a verdict that is refused is said on the page', async () => {
  await showOver(<Toasts />, { 'jobs.judge': () => fail('disk_full', 'The disk is full.') });
  await acting(async () => expect(await saveVerdict('j', 'keep')).toBe(false));
  await until(() => expect(shown()).toContain('The disk is full.'));
});

it('where only the answer was lost it says that it may have been done', async () => {
  await showOver(<Toasts />, { 'jobs.judge': () => fail('unreachable', 'The studio is away.') });
  await acting(() => saveVerdict('j', 'keep'));
  await until(() => expect(shown()).toContain('It may have been done all the same'));
});
