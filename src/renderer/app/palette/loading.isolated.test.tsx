// @vitest-environment jsdom

import { expect, it } from 'vitest';
import { byText, fakeStudio, show, type, until } from '../../testing/page.tsx';
import { Palette } from './Palette.tsx';

it('keeps what is typed before its list is there', async () => {
  const { promise, resolve } = Promise.withResolvers<object>();
  fakeStudio({ 'app.info': () => promise as never });
  await show(<Palette open onClose={() => {}} />);
  const input = () => document.querySelector('.pal input') as HTMLInputElement;
  await until(() => expect(input()).not.toBeNull());
  expect(document.querySelector('[cmdk-root]')).toBeNull();
  await type(input(), 'shortcuts');
  resolve({});
  await until(() => byText('hortcuts', '[cmdk-item]'));
  expect(input().value).toBe('shortcuts');
});
