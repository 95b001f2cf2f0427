import { beforeEach, expect, test } from 'vitest';
import { acting, anAsset, fakeStudio, show, until } from '../testing/page.tsx';
import { Radios, Select, TextArea, Toasts, toast } from '../ui/index.ts';

/** Names are shown with what is in them wherever they are drawn, by the elements themselves. */

const NAME = 'photo\u202egpj.exe';
const SHOWN = 'photo‹U+202E›gpj.exe';

beforeEach(() => {
  fakeStudio({});
});

test('in texts, beside other texts, and in what stands for a text', async () => {
  await show(
    <section aria-label={NAME}>
      <b title={NAME}>{NAME}</b>
      <p>“{NAME}” was removed</p>
      <img alt={NAME} src="a.png" />
    </section>,
  );
  expect(document.body.innerHTML).not.toContain('\u202e');
  expect(document.body.innerHTML.split(SHOWN)).toHaveLength(6);
});

test('what a person writes in is left as it was written', async () => {
  await show(<TextArea aria-label="Prompt" value={NAME} onValue={() => {}} />);
  expect(document.querySelector('textarea')?.value).toBe(NAME);
});

test('in what a library draws: choices and notices', async () => {
  const options = [{ value: 'a', label: NAME }];
  await show(
    <>
      <Select aria-label="Model" options={options} value="a" onValue={() => {}} />
      <Radios aria-label="Which" options={options} value="a" onValue={() => {}} />
      <Toasts />
    </>,
  );
  await acting(() => toast({ kind: 'info', text: `${anAsset().name} ${NAME}` }));
  await until(() => expect(document.querySelector('.toasts')?.textContent).toContain(SHOWN));
  expect(document.querySelector('[role=combobox]')?.textContent).toContain(SHOWN);
  expect(document.querySelector('[role=radiogroup]')?.textContent).toContain(SHOWN);
  expect(document.body.innerHTML).not.toContain('\u202e');
});
