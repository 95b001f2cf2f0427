import type { Idempotency } from '../../../../shared/idempotencySchema.ts';
import { t } from '../../../../shared/texts.ts';
import { Field, formatStamp, NumberInput, Segmented, TextInput, Toggle } from '../../../ui/index.ts';

type None = Extract<Idempotency, { kind: 'none' }>;
type Documented = Omit<Extract<Idempotency, { kind: 'documented' }>, 'windowHours'> & { windowHours: number | null };

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

/** What the gateway documents about a repeated idempotency key: nothing, or that it gives the first order back, by which page and how long. */
export function IdempotencyFields({ label, hint, error, off, value, isOfOther, onValue }: IdempotencyFieldsProps) {
  const now: None | Documented = isOfOther ? { kind: 'none' } : (value as None | Documented);
  const choose = (kind: string) =>
    onValue(kind === 'none' ? { kind } : { kind, source: '', windowHours: null, readAt: Date.now(), night: true });
  return (
    <>
      <Field className="span" label={label} hint={hint} error={error} disabled={off}>
        <Segmented
          full
          value={now.kind}
          onValue={choose}
          options={[
            { value: 'none', label: t`Not known` },
            { value: 'documented', label: t`Supported` },
          ]}
        />
      </Field>
      {now.kind === 'documented' && (
        <>
          <Field
            className="idem"
            label={t`Says so`}
            hint={now.readAt === undefined ? t`address or name of the page` : t`read ${formatStamp(now.readAt)}`}
            disabled={off}
          >
            <TextInput
              value={now.source}
              onValue={(source) => onValue({ ...now, source, readAt: Date.now() })}
              placeholder={t`https://gateway.example/docs/idempotency`}
            />
          </Field>
          <Field className="idem" label={t`Remembers a key for`} hint={t`after the first request`} disabled={off}>
            <NumberInput
              value={now.windowHours}
              onValue={(windowHours) => onValue({ ...now, windowHours, readAt: Date.now() })}
              unit="h"
              min={1}
              max={8_784}
              format={{ maximumFractionDigits: 3 }}
            />
          </Field>
          <div className="span">
            <Toggle checked={now.night} onChecked={(night) => onValue({ ...now, night })} disabled={off}>
              {t`Ask again during overnight runs`}
            </Toggle>
          </div>
        </>
      )}
      <p className="t3 span">{whatItMeans(now, isOfOther)}</p>
    </>
  );
}

function whatItMeans(value: None | Documented, isOfOther: boolean): string {
  if (value.kind === 'documented')
    return t`After a lost reply the same request is sent again under its key, until that time is over. If the documentation is wrong, you pay twice.`;
  const { falseSince } = value;
  return [
    isOfOther && t`The documentation is of another address.`,
    falseSince !== undefined && t`On ${formatStamp(falseSince)} the gateway accepted the same idempotency key twice.`,
    t`Off until you add a link to the gateway’s documentation.`,
  ]
    .filter(Boolean)
    .join(' ');
}
