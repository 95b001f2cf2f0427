import { t } from '../../shared/text/texts.ts';
import { Refusal } from './boxes.tsx';
import { Select } from './choice.tsx';
import { DATE_SPANS, type DateChoice, type DateSpan, faultOf } from './dates.ts';
import { TextInput } from './field.tsx';

const SPAN_WORDS: Record<DateSpan, string> = {
  any: t`Any date`,
  today: t`Today`,
  week: t`Last 7 days`,
  month: t`This month`,
  lastMonth: t`Last month`,
  year: t`This year`,
  own: t`From … to …`,
};
const SPAN_OPTIONS = DATE_SPANS.map((value) => ({ value, label: SPAN_WORDS[value] }));

interface DateFieldsProps {
  /** What the dates are of; names the select. */
  label: string;
  dates: DateChoice;
  onDates: (next: DateChoice) => void;
}

/** A span of days: a relative one, or two dates. */
export function DateFields({ label, dates, onDates }: DateFieldsProps) {
  const change = (part: Partial<DateChoice>) => onDates({ ...dates, ...part });
  return (
    <>
      <Select aria-label={label} options={SPAN_OPTIONS} value={dates.span} onValue={(span) => change({ span })} />
      {dates.span === 'own' && (
        <div className="own-dates">
          <TextInput type="date" aria-label={t`From`} value={dates.from} onValue={(from) => change({ from })} />
          <TextInput type="date" aria-label={t`To`} value={dates.to} onValue={(to) => change({ to })} />
          <Refusal text={faultOf(dates)} />
        </div>
      )}
    </>
  );
}
