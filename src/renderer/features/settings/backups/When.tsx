import { type BackupSettings, DEFAULT_BACKUPS, MOST_BACKUPS, MOST_MONTHS } from '../../../../shared/settings.ts';
import { t } from '../../../../shared/texts.ts';
import { saveSettings, useStudio } from '../../../app/index.ts';
import { Field, formatBytes, NumberInput, Segmented, TextInput } from '../../../ui/index.ts';
import { Group } from '../form.tsx';
import { useSettled } from '../useSettled.ts';
import styles from './backups.module.css';

const withUsual = (backups: BackupSettings | undefined) => ({ ...DEFAULT_BACKUPS, ...backups });

/** When backups are made by themselves, and how many are kept. Takes effect at once. */
export function When({ bytes }: { bytes: number }) {
  const saved = useStudio((state) => state.settings?.backups);
  const { typed, change, refusal } = useSettled(
    () => withUsual(useStudio.getState().settings?.backups),
    (backups) => saveSettings({ backups }),
  );
  const shown = { ...withUsual(saved), ...typed };
  return (
    <Group title={t`When`} text={t`Also before every update and every restore.`} refusal={refusal}>
      <div className={`row ${styles.when}`}>
        <Field label={t`By itself`}>
          <Segmented
            value={shown.daily ? 'daily' : 'never'}
            onValue={(value) => change({ daily: value === 'daily' })}
            options={[
              { value: 'daily', label: t`Every day` },
              { value: 'never', label: t`Never` },
            ]}
          />
        </Field>
        <Field label={t`At`}>
          <TextInput
            type="time"
            value={shown.at}
            onValue={(at) => at !== '' && change({ at })}
            disabled={!shown.daily}
          />
        </Field>
        <Field label={t`Keep`}>
          <NumberInput
            value={shown.keep}
            onValue={(keep) => keep !== null && change({ keep: Math.round(keep) })}
            min={1}
            max={MOST_BACKUPS}
          />
        </Field>
        <Field label={t`And monthly`}>
          <NumberInput
            value={shown.monthly}
            onValue={(monthly) => monthly !== null && change({ monthly: Math.round(monthly) })}
            min={0}
            max={MOST_MONTHS}
          />
        </Field>
      </div>
      <p className="t3">
        {t`${formatBytes(bytes)} now. The oldest goes when there are more, but the first of each of these months; one that a restore needs stays.`}
      </p>
    </Group>
  );
}
