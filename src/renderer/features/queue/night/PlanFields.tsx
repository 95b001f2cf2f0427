import { type ReactNode, useId } from 'react';
import type { CapReading, DryRun } from '../../../../shared/jobs/night.ts';
import { formatNano } from '../../../../shared/money/money.ts';
import { formatLocale, t } from '../../../../shared/text/texts.ts';
import { useStudio } from '../../../app/index.ts';
import {
  Checkbox,
  Field,
  formatClock,
  formatDay,
  priceText,
  Refusal,
  Section,
  Select,
  startOfDay,
  TextInput,
  Toggle,
  WhyOff,
} from '../../../ui/index.ts';
import styles from './night.module.css';
import { LABELS, type PlanFault, type PlanField, type PlanForm } from './planForm.ts';

/** The inputs of a plan: hours, money, rules. */

interface PartProps {
  form: PlanForm;
  set: (part: Partial<PlanForm>) => void;
  fault: PlanFault | undefined;
}

/** Monday first; 0 is Sunday. */
const WEEK = [1, 2, 3, 4, 5, 6, 0].map((day) => {
  const named = (weekday: 'narrow' | 'long') =>
    // 4 January 1970 was a Sunday.
    new Date(1970, 0, 4 + day).toLocaleDateString(formatLocale(), { weekday });
  return { day, letter: named('narrow'), name: named('long') };
});

const hoursText = (ms: number): string => `${Number((ms / 3_600_000).toFixed(1))} h`;

/** Whether it is this local time of day: `23:00`. */
const isAtHour = (time: number, hour: string): boolean => {
  const [hours, minutes] = hour.split(':').map(Number);
  const date = new Date(time);
  return date.getHours() === hours && date.getMinutes() === minutes;
};

export function Hours({ form, set, fault, isOpen, dry }: PartProps & { isOpen: boolean; dry: DryRun | undefined }) {
  const toggle = (day: number) =>
    set({ days: form.days.includes(day) ? form.days.filter((one) => one !== day) : [...form.days, day] });
  const error = (field: PlanField) => (fault?.field === field ? fault.error : undefined);
  // A run started by hand did not begin at the hour of its plan, which decides its days.
  const began = isOpen && dry && !isAtHour(dry.startsAt, form.start) ? formatClock(dry.startsAt) : undefined;
  return (
    <Section title={t`Hours`} end={dry && <span className="t3">{hoursText(dry.endsAt - dry.startsAt)}</span>}>
      <div className="g2">
        <Field label={t`From`} error={error('start')} disabled={isOpen}>
          <TextInput value={form.start} onValue={(start) => set({ start })} disabled={isOpen} />
        </Field>
        <Field label={t`To`} error={error('end')}>
          <TextInput value={form.end} onValue={(end) => set({ end })} />
        </Field>
      </div>
      <fieldset className={`row wrap ${styles.days}`} aria-label={t`Repeats on`}>
        {WEEK.map(({ day, letter, name }) => (
          <button
            key={day}
            type="button"
            className="chip"
            aria-pressed={form.days.includes(day)}
            aria-label={name}
            title={name}
            onClick={() => toggle(day)}
          >
            {letter}
          </button>
        ))}
        <span className="t3">{form.days.length === 0 ? t`Only tonight` : t`Repeats`}</span>
      </fieldset>
      {began !== undefined && <p className="t3">{t`Started at ${began}`}</p>}
      <p className="t3">{t`Jobs running at ${form.end} finish.`}</p>
    </Section>
  );
}

export function MoneyPart({ form, set, fault, dry }: PartProps & { dry: DryRun | undefined }) {
  return (
    <Section title={t`Money`}>
      <div className="g2">
        <Field label={LABELS.cap} error={fault?.field === 'cap' ? fault.error : undefined}>
          <TextInput value={form.cap} onValue={(cap) => set({ cap })} before="$" inputMode="decimal" />
        </Field>
        <Field label={t`Price counted`}>
          <Select
            aria-label={t`Price counted`}
            options={READINGS}
            value={form.capReading}
            onValue={(capReading) => set({ capReading })}
          />
        </Field>
      </div>
      <p className="t3">{countsText(form.capReading, dry)}</p>
      {dry?.days.map(({ day, nano, unpriced, leftNano }, index) => (
        <div className="row between" key={day}>
          <span className="t2">{dayWords(day, index, dry.days.length)}</span>
          <span>
            {priceText(nano, nano, 'range', unpriced)}
            {leftNano !== undefined && <span className="t3"> {t`of ${formatNano(leftNano)}`}</span>}
          </span>
        </div>
      ))}
    </Section>
  );
}

const READINGS: { value: CapReading; label: string }[] = [
  { value: 'high', label: t`Higher price` },
  { value: 'low', label: t`Lower price` },
];

/** What the budget covers, and what it does not if the lower price counts. */
function countsText(reading: CapReading, dry: DryRun | undefined): string {
  if (reading === 'high') return '';
  const above = dry?.capReading === 'low' ? dry.aboveCountedNano : undefined;
  const low = t`If a price unit is not known, the lower price counts. Unconfirmed jobs may exceed the budget.`;
  if (above === undefined) return `${low} ${t`The bill may be higher.`}`;
  return above === 0 ? low : `${low} ${t`The bill may be higher by up to ${formatNano(above)}.`}`;
}

function dayWords(day: string, index: number, count: number): string {
  const noon = new Date(`${day}T12:00`).getTime();
  const inSentence = startOfDay(noon) === startOfDay(Date.now()) ? t`Today` : formatDay(noon, Date.now());
  if (count === 1) return inSentence;
  return index === 0 ? t`Until midnight: ${inSentence}` : t`After midnight: ${inSentence}`;
}

export function Rules({ form, set, fault }: PartProps) {
  const row = (field: PlanField, effect: string, usual: string, unit = '') => (
    <NumberRule key={field} form={form} set={set} field={field} effect={effect} usual={usual} unit={unit} />
  );
  return (
    <Section title={t`Rules`}>
      <div className="col">
        {row('failures', t`Stop`, '3')}
        {row('refusals', t`Stop`, '4')}
        {row('shotRefusals', t`Skip shot`, '2')}
        <Rule
          isOn={form.goOnInDoubt}
          onOn={(goOnInDoubt) => set({ goOnInDoubt })}
          name={t`Unconfirmed job`}
          effect={form.goOnInDoubt ? t`Continue, hold cost` : t`Counts as a failure`}
        />
        {row('diskFloor', t`Stop`, '20', 'GB')}
        {row('budgetFloor', t`Stop`, '5', '$')}
        {row('balanceFloor', t`Stop`, '5', '$')}
        {row('outage', t`Retry, then stop`, '30', 'min')}
        <Rule
          isOn={form.notOnBattery}
          onOn={(notOnBattery) => set({ notOnBattery })}
          name={t`On battery`}
          effect={t`Send nothing`}
        />
      </div>
      {fault && (fault.field === undefined || !['start', 'end', 'cap'].includes(fault.field)) && (
        <Refusal text={fault.error} />
      )}
    </Section>
  );
}

interface NumberRuleProps extends Omit<PartProps, 'fault'> {
  field: PlanField;
  effect: string;
  /** The value when the rule is switched on. */
  usual: string;
  unit: string;
}

function NumberRule({ form, set, field, effect, usual, unit }: NumberRuleProps) {
  const id = useId();
  const isOn = form[field].trim() !== '';
  return (
    <Rule isOn={isOn} onOn={(on) => set({ [field]: on ? usual : '' })} name={LABELS[field]} effect={effect} id={id}>
      {isOn && (
        <TextInput
          value={form[field]}
          onValue={(value) => set({ [field]: value })}
          aria-labelledby={id}
          inputMode="decimal"
          after={unit && <span className="t3">{unit}</span>}
        />
      )}
    </Rule>
  );
}

interface RuleProps {
  isOn: boolean;
  onOn: (isOn: boolean) => void;
  name: string;
  effect: string;
  /** `id` of the element that shows the name. */
  id?: string;
  children?: ReactNode;
}

const Rule = ({ isOn, onOn, name, effect, id, children }: RuleProps) => (
  <div className={styles.rule}>
    <Checkbox checked={isOn} onChecked={onOn}>
      <span className={isOn ? '' : 't3'} id={id}>
        {name}
      </span>
    </Checkbox>
    {children}
    <span className={`r ${isOn ? 't2' : 't3'}`}>{effect}</span>
  </div>
);

export function WhileItRuns({ form, set }: Omit<PartProps, 'fault'>) {
  const awake = useStudio((state) => state.info?.awake);
  return (
    <Section title={t`During the run`}>
      <div className="col gap">
        {awake === 'cannot' ? (
          <NothingKeepsAwake />
        ) : (
          <Toggle checked={form.keepAwake} onChecked={(keepAwake) => set({ keepAwake })}>
            {t`Keep this computer awake`}
          </Toggle>
        )}
        <Toggle checked={form.notify} onChecked={(notify) => set({ notify })}>
          {t`Notify me when it ends or stops`}
        </Toggle>
      </div>
    </Section>
  );
}

/** For a host that cannot keep the computer awake, in the plan and in the run. */
export const NothingKeepsAwake = () => <WhyOff>{t`A browser cannot keep this computer awake.`}</WhyOff>;
