import { VERDICTS, type Verdict } from '../../shared/job.ts';
import { Segmented, type SegmentedProps } from '../ui/index.ts';
import { VERDICT_WORDS } from '../words/index.ts';
import { useShortcut } from './keys/shortcuts.ts';

/** Keep, Maybe and No, each with its key. */
export function RatingChoice(props: Omit<SegmentedProps<Verdict>, 'options'>) {
  const hints = {
    keep: useShortcut('verdict.keep', () => props.onValue('keep')),
    maybe: useShortcut('verdict.maybe', () => props.onValue('maybe')),
    no: useShortcut('verdict.no', () => props.onValue('no')),
  };
  const options = VERDICTS.map((value) => ({ value, label: VERDICT_WORDS[value].label, kbd: hints[value] }));
  return <Segmented {...props} options={options} />;
}
