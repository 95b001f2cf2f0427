import { beforeEach, expect, test } from 'vitest';
import { textOf } from '../testing/find.ts';
import { acting, anAsset, byText, click, fakeStudio, show, until } from '../testing/page.tsx';
import {
  Menu,
  NumberInput,
  Popover,
  Radios,
  Segmented,
  Select,
  Slider,
  Tabs,
  TextArea,
  TextInput,
  Toasts,
  toast,
} from '../ui/index.ts';

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

test('in lists inside lists, whatever stands between', async () => {
  await show(<p>{['One ', [NAME, [' and ', [NAME]]], <b key="b">{[[NAME]]}</b>]}</p>);
  expect(textOf('p')).toBe(`One ${SHOWN} and ${SHOWN}${SHOWN}`);
});

test('in an element whose key stands behind spread properties', async () => {
  const props = { title: NAME, className: 'spread' };
  const rows = ['a', 'b'].map((key) => (
    <p {...props} key={key}>
      {NAME}, {[NAME]}
    </p>
  ));
  await show(rows);
  const all = [...document.querySelectorAll('.spread')];
  expect(all.map((element) => element.outerHTML)).toEqual(
    Array(2).fill(`<p title="${SHOWN}" class="spread">${SHOWN}, ${SHOWN}</p>`),
  );
});

test('what names a field is shown, what is written in it is left', async () => {
  const labels = { title: NAME, placeholder: NAME, 'aria-label': NAME, 'aria-roledescription': NAME };
  await show(
    <>
      <input {...labels} defaultValue={NAME} />
      <textarea {...labels} defaultValue={NAME} />
    </>,
  );
  for (const field of document.querySelectorAll<HTMLInputElement>('input, textarea')) {
    expect(field.value).toBe(NAME);
    for (const name of Object.keys(labels)) expect(field.getAttribute(name)).toBe(SHOWN);
  }
});

function Rename({ title, label, placeholder }: Record<'title' | 'label' | 'placeholder', string>) {
  return (
    <p title={title}>
      <input aria-label="Title" defaultValue={title} />
      <input aria-label="Label" defaultValue={label} />
      <input aria-label="Place" defaultValue={placeholder} />
    </p>
  );
}

test('a component gets the name as it is: a field that it puts it in neither shows nor saves another', async () => {
  await show(<Rename title={NAME} label={NAME} placeholder={NAME} />);
  expect([...document.querySelectorAll('input')].map(({ value }) => value)).toEqual([NAME, NAME, NAME]);
  expect(document.querySelector('p')?.title).toBe(SHOWN);
});

test('in what names the controls of a library', async () => {
  const options = [{ value: 'a', label: NAME, name: NAME }];
  const choice = { 'aria-label': NAME, options, value: null, onValue: () => {} };
  const text = { 'aria-label': NAME, title: NAME, placeholder: NAME, value: '', onValue: () => {} };
  await show(
    <>
      <Select {...choice} placeholder={NAME} />
      <Segmented {...choice} />
      <Radios {...choice} />
      <Tabs aria-label={NAME} items={[{ value: 'a', label: NAME }]} value="a" onValue={() => {}} />
      <Slider aria-label={NAME} value={1} min={0} max={2} step={1} onValue={() => {}} />
      <TextInput {...text} />
      <TextArea {...text} />
      <NumberInput aria-label={NAME} placeholder={NAME} value={null} onValue={() => {}} />
      <Menu label={NAME} trigger={<button type="button">Menu</button>} items={[]} />
      <Popover title={NAME} trigger={<button type="button">Details</button>}>
        {NAME}
      </Popover>
    </>,
  );
  await click(byText('Menu'));
  await click(byText('Details'));
  await until(() => expect(document.querySelectorAll('.pop, .menu')).toHaveLength(2));
  expect(document.body.innerHTML).not.toContain('\u202e');
  expect(document.body.innerHTML.split(SHOWN).length).toBeGreaterThan(20);
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
  await until(() => expect(textOf('.toasts')).toContain(SHOWN));
  expect(textOf('[role=combobox]')).toContain(SHOWN);
  expect(textOf('[role=radiogroup]')).toContain(SHOWN);
  expect(document.body.innerHTML).not.toContain('\u202e');
});

test('in a choice that is not offered any more', async () => {
  await show(<Select aria-label="Model" options={[]} value={NAME} onValue={() => {}} />);
  expect(textOf('[role=combobox]')).toContain(SHOWN);
});
