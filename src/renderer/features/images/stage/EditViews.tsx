import { t } from '../../../../shared/texts.ts';
import { useKeyHint, useShortcut } from '../../../app/index.ts';
import { Kbd, Segmented } from '../../../ui/index.ts';
import { type EditView, useImages } from '../useImages.ts';

const NAMES: Record<EditView, string> = {
  result: t`Result`,
  original: t`Original`,
  slider: t`Slider`,
  changed: t`Changes`,
};

/** The ways to look at an edit beside what it was made of. What changed is known of an edit only, whose mask is known. */
export function EditViews({ hasMask }: { hasMask: boolean }) {
  const view = useImages((state) => state.view);
  const see = (next: EditView) => useImages.setState({ view: next });
  useShortcut('edit.result', () => see('result'));
  useShortcut('edit.original', () => see('original'));
  useShortcut('edit.slider', () => see('slider'));
  useShortcut('edit.changed', () => see('changed'), hasMask);
  const hints: Record<EditView, string> = {
    result: useKeyHint('edit.result'),
    original: useKeyHint('edit.original'),
    slider: useKeyHint('edit.slider'),
    changed: useKeyHint('edit.changed'),
  };
  const shown = (['result', 'original', 'slider', 'changed'] as const).filter((one) => one !== 'changed' || hasMask);
  return (
    <Segmented
      small
      aria-label={t`View`}
      value={view}
      onValue={see}
      options={shown.map((value) => ({
        value,
        name: NAMES[value],
        label: (
          <>
            {NAMES[value]} <Kbd>{hints[value]}</Kbd>
          </>
        ),
      }))}
    />
  );
}
