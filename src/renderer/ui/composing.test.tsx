import { useRef, useState } from 'react';
import { expect, it, vi } from 'vitest';
import { acting, press, show, type } from '../testing/page.tsx';
import { OfferList, TextArea, TextInput, useOffer } from './index.ts';

it.each(['Enter', 'Escape'])('%s of an input method is no key of a field', async (key) => {
  const heard = vi.fn();
  const body = await show(
    <>
      <TextInput aria-label="Name" value="" onValue={() => undefined} onKeyDown={(event) => heard(event.key)} />
      <TextArea aria-label="Subtitles" value="" onValue={() => undefined} onKeyDown={(event) => heard(event.key)} />
    </>,
  );
  for (const field of body.querySelectorAll('input, textarea')) {
    await press(key, { isComposing: true }, field);
    expect(heard).not.toHaveBeenCalled();
    await press(key, {}, field);
    expect(heard).toHaveBeenCalledExactlyOnceWith(key);
    heard.mockClear();
  }
});

const ITEMS = [{ id: 'm', name: 'Mara', note: 'person' }];

function Prompt() {
  const field = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState('');
  const offer = useOffer({ field, text, items: ITEMS, wordsFor: ({ name }) => `@${name}`, onValue: setText });
  return (
    <>
      <TextArea {...offer.field} ref={field} aria-label="Prompt" value={text} onValue={setText} />
      {offer.list && <OfferList label="Cast" list={offer.list} />}
    </>
  );
}

it('Enter of an input method takes nothing that is offered', async () => {
  const body = await show(<Prompt />);
  const field = body.querySelector('textarea') as HTMLTextAreaElement;
  await acting(() => field.focus());
  await type(field, '@');
  await acting(() => {
    field.setSelectionRange(1, 1);
    document.dispatchEvent(new Event('selectionchange'));
  });
  expect(body.querySelector('[role=option]')?.textContent).toContain('Mara');
  await press('Enter', { isComposing: true }, field);
  expect(field.value).toBe('@');
  await press('Enter', {}, field);
  expect(field.value).toBe('@Mara ');
});
