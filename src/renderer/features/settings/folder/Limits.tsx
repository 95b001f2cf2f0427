import { DEFAULT_LIBRARY, type LibrarySettings } from '../../../../shared/settings.ts';
import { t } from '../../../../shared/texts.ts';
import { saveSettings, useStudio } from '../../../app/index.ts';
import { Field, formatStamp, NumberInput, Segmented } from '../../../ui/index.ts';
import { Group } from '../form.tsx';
import { useSettled } from '../useSettled.ts';
import styles from './folder.module.css';

const GB = 1_000_000_000;

const BIN_DAYS = [
  { value: 'never', label: t`Never`, days: undefined },
  { value: '30', label: t`After 30 days`, days: 30 },
  { value: '90', label: t`After 90 days`, days: 90 },
] as const;

/** The days count from that on which they were chosen: `from` is when the first are over, and absent until they have begun. */
function binWords(days: LibrarySettings['binDays'], from: number | undefined): string {
  if (days === undefined) return t`What is in the bin stays there until you empty it.`;
  const rule =
    from === undefined
      ? t`What has been in the bin for ${days} days is deleted for ever, counted from today at the earliest.`
      : from > Date.now()
        ? t`What has been in the bin for ${days} days is deleted for ever, nothing before ${formatStamp(from)}.`
        : t`What has been in the bin for ${days} days is deleted for ever.`;
  return t`${rule} What a board, a chat, an order or an export uses stays.`;
}

/** What happens when the disk fills. Takes effect at once. `binFrom`: the moment before which nothing leaves the bin by itself. */
export function Limits({ binFrom }: { binFrom: number | undefined }) {
  const saved = useStudio((state) => state.settings?.library ?? DEFAULT_LIBRARY);
  const { typed, change, refusal } = useSettled(
    () => useStudio.getState().settings?.library ?? DEFAULT_LIBRARY,
    (library) => saveSettings({ library }),
  );
  const shown = { ...saved, ...typed };
  const gigabytes = (bytes: number) => (bytes === 0 ? null : bytes / GB);
  const bytesOf = (figure: number | null) => Math.round((figure ?? 0) * GB);
  return (
    <Group title={t`Limits`} text={t`What happens when it fills.`} refusal={refusal}>
      <div className={`row wrap ${styles.limits}`}>
        <Field label={t`Disk floor`}>
          <NumberInput
            value={gigabytes(shown.floorBytes)}
            onValue={(figure) => change({ floorBytes: bytesOf(figure) })}
            min={0}
            unit="GB"
            placeholder={t`none`}
            format={{ maximumFractionDigits: 3 }}
          />
        </Field>
        <Field label={t`Warn at`}>
          <NumberInput
            value={gigabytes(shown.warnBytes)}
            onValue={(figure) => change({ warnBytes: bytesOf(figure) })}
            min={0}
            unit="GB"
            placeholder={t`never`}
            format={{ maximumFractionDigits: 3 }}
          />
        </Field>
        <Field label={t`Empty the bin by itself`} className={styles.bin}>
          <Segmented
            value={BIN_DAYS.find(({ days }) => days === shown.binDays)?.value ?? 'never'}
            onValue={(value) => change({ binDays: BIN_DAYS.find((one) => one.value === value)?.days })}
            options={BIN_DAYS.map(({ value, label }) => ({ value, label }))}
          />
        </Field>
      </div>
      <p className="t3">
        {t`With less free than the floor nothing new that makes files is sent, and results wait at the gateway.`}
      </p>
      <p className="t3">{binWords(shown.binDays, shown.binDays === saved.binDays ? binFrom : undefined)}</p>
    </Group>
  );
}
