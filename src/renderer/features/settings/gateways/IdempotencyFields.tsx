import type { Idempotency } from '../../../../shared/idempotencySchema.ts';
import { t } from '../../../../shared/texts.ts';
import { Field, formatStamp, NumberInput, Segmented, TextInput, Toggle } from '../../../ui/index.ts';

type Documented = Omit<Extract<Idempotency, { kind: 'documented' }>, 'windowHours'> & { windowHours: number | null };

type None = Extract<Idempotency, { kind: 'none' }>;

const NONE: None = { kind: 'none' };

interface IdempotencyFieldsProps {
  label: string;
  hint: string | undefined;
  error: string | undefined;
  off: boolean;
  value: unknown;
  /** What is documented was said of another address: it is shown as it will be once it is saved. */
  isOfOther: boolean;
  onValue: (value: unknown) => void;
}

/** What the service documents about a repeated idempotency key: nothing, or that it gives the first order back, by which page and how long. */
export function IdempotencyFields({ label, hint, error, off, value, isOfOther, onValue }: IdempotencyFieldsProps) {
  const now = isOfOther ? NONE : (value as None | Documented);
  const choose = (kind: string) =>
    onValue(kind === 'none' ? { kind } : { kind, source: '', windowHours: null, readAt: Date.now(), night: true });
  return (
    <>
      <Field className="span" label={label} {...(hint === undefined ? {} : { hint })} error={error} disabled={off}>
        <Segmented
          full
          value={now.kind}
          onValue={choose}
          options={[
            { value: 'none', label: t`Not known` },
            { value: 'documented', label: t`Gives the first order back` },
          ]}
        />
      </Field>
      {now.kind === 'documented' && <DocumentedFields value={now} off={off} onValue={onValue} />}
      <p className="t3 span">{whatItMeans(now, isOfOther)}</p>
    </>
  );
}

const DocumentedFields = ({
  value,
  off,
  onValue,
}: {
  value: Documented;
  off: boolean;
  onValue: (value: Documented) => void;
}) => (
  <>
    <Field
      className="idem"
      label={t`Says so`}
      hint={value.readAt === undefined ? t`address or name of the page` : t`read ${formatStamp(value.readAt)}`}
      disabled={off}
    >
      <TextInput
        value={value.source}
        onValue={(source) => onValue({ ...value, source, readAt: Date.now() })}
        placeholder={t`https://gateway.example/docs/idempotency`}
      />
    </Field>
    <Field className="idem" label={t`Remembers a key for`} hint={t`after the first request`} disabled={off}>
      <NumberInput
        value={value.windowHours}
        onValue={(windowHours) => onValue({ ...value, windowHours, readAt: Date.now() })}
        unit="h"
        min={1}
        max={8_784}
        format={{ maximumFractionDigits: 3 }}
      />
    </Field>
    <div className="span">
      <Toggle checked={value.night} onChecked={(night) => onValue({ ...value, night })} disabled={off}>
        {t`A night asks again by itself`}
      </Toggle>
    </div>
  </>
);

function whatItMeans(value: None | Documented, isOfOther: boolean): string {
  if (value.kind === 'documented')
    return t`After a lost answer the same bytes can be sent again under the same key, until that time is over. If the page is wrong, that order is paid for twice.`;
  const found =
    value.falseSince === undefined
      ? ''
      : t`On ${formatStamp(value.falseSince)} it took a second order under the key of the first. `;
  const other = isOfOther ? t`It was said of another address. ` : '';
  return t`${other}${found}Off until a page is named. Dailies never tries it out with an order that could be billed.`;
}
