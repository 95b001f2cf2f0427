import { useState } from 'react';
import type { Backup, BackupReason } from '../../../../shared/contract/backupCalls.ts';
import {
  type BackupSettings,
  DEFAULT_BACKUPS,
  MOST_BACKUPS,
  MOST_MONTHS,
} from '../../../../shared/contract/settings.ts';
import { t } from '../../../../shared/text/texts.ts';
import { announce, saveSettings, useAction, useCall, useStudio } from '../../../app/index.ts';
import { call } from '../../../client/index.ts';
import {
  Button,
  Field,
  formatBytes,
  formatCount,
  formatStamp,
  NumberInput,
  Reading,
  Segmented,
  TextInput,
} from '../../../ui/index.ts';
import { Group, SettingsSection } from '../form.tsx';
import settingsStyles from '../settings.module.css';
import { useSettled } from '../useSettled.ts';
import styles from './backups.module.css';
import { Preview } from './Preview.tsx';

/** When backups are made, those that are kept, and what one of them would restore. */
export function Backups() {
  const read = useCall('backups.list', {}, { on: ['backups.changed'] });
  const [chosen, setChosen] = useState<string>();
  const { refusal, run, isBusy } = useAction();
  const backups = read.data?.backups ?? [];
  const backup = backups.find(({ id }) => id === chosen);
  const make = async () => {
    const answer = await run(call('backups.make', {}));
    if (answer.ok) announce(t`Backed up and verified`);
  };
  return (
    <>
      <SettingsSection
        label={t`Backups`}
        refusal={refusal}
        bar={
          <Button busy={isBusy} onClick={() => void make()}>
            {t`Back up now`}
          </Button>
        }
      >
        <When bytes={backups.reduce((sum, { bytes }) => sum + bytes, 0)} />
        <Reading of={read}>{() => <Kept backups={backups} chosen={backup?.id} onChoose={setChosen} />}</Reading>
        <p className="t2 mt">{t`A backup has no media files, gateways, prices or settings.`}</p>
      </SettingsSection>
      <Preview backup={backup} />
    </>
  );
}

const withUsual = (backups: BackupSettings | undefined) => ({ ...DEFAULT_BACKUPS, ...backups });

/** When automatic backups are made, and how many are kept. Changes apply at once. */
export function When({ bytes }: { bytes: number }) {
  const saved = useStudio((state) => state.settings?.backups);
  const { typed, change, refusal } = useSettled(
    () => withUsual(useStudio.getState().settings?.backups),
    (backups) => saveSettings({ backups }),
  );
  const shown = { ...withUsual(saved), ...typed };
  return (
    <Group title={t`When`} text={t`Also before an update or a restore.`} refusal={refusal}>
      <div className={`row wrap ${settingsStyles.figures}`}>
        <Field label={t`Automatic`}>
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
        <Field label={t`Keep monthly`}>
          <NumberInput
            value={shown.monthly}
            onValue={(monthly) => monthly !== null && change({ monthly: Math.round(monthly) })}
            min={0}
            max={MOST_MONTHS}
          />
        </Field>
      </div>
      <p className="t3">{t`${formatBytes(bytes)} now. Older backups are deleted.`}</p>
    </Group>
  );
}

const REASONS: Record<BackupReason, string> = {
  now: t`Manual`,
  daily: t`Daily`,
  update: t`Before an update`,
  restore: t`Before a restore`,
  other: t`Other source`,
};

interface KeptProps {
  backups: readonly Backup[];
  chosen: string | undefined;
  onChoose: (id: string) => void;
}

function Kept({ backups, chosen, onChoose }: KeptProps) {
  if (backups.length === 0) return <p className="t2 mt">{t`No backups yet.`}</p>;
  return (
    <section className={styles.keptList} aria-label={t`Kept backups`}>
      <h3 className="lab pad">
        {t`Kept`} <span className="t3">{formatCount(backups.length)}</span>
      </h3>
      <ul className={`lines ${styles.list}`}>
        {backups.map(({ id, at, reason, bytes, monthly, readBack }) => (
          <li key={id}>
            <button type="button" aria-pressed={id === chosen} onClick={() => onChoose(id)}>
              <span className="nums">{formatStamp(at)}</span>
              <span className="t2 cut">{monthly ? t`Monthly` : REASONS[reason]}</span>
              <span className="r nums">{formatBytes(bytes)}</span>
              <span className="t3">{readBack ? t`Verified` : t`Not verified`}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
