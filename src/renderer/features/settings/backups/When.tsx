import { useState } from 'react';
import { type BackupSettings, DEFAULT_BACKUPS, MOST_BACKUPS } from '../../../../shared/settings.ts';
import { saveSettings, useAction, useStudio } from '../../../app/index.ts';
import { Field, formatBytes, NumberInput, Refusal, Segmented, TextInput } from '../../../ui/index.ts';
import { Group } from '../form.tsx';

/** A figure that is still being typed is not saved. */
const SETTLED_MS = 500;

/** When backups are made by themselves, and how many are kept. Takes effect at once. */
export function When({ bytes }: { bytes: number }) {
  const saved = useStudio((state) => state.settings?.backups ?? DEFAULT_BACKUPS);
  const [typed, setTyped] = useState<Partial<BackupSettings>>({});
  const [timer, setTimer] = useState<ReturnType<typeof setTimeout>>();
  const { refusal, run } = useAction();
  const shown = { ...saved, ...typed };
  const change = (part: Partial<BackupSettings>) => {
    const next = { ...typed, ...part };
    setTyped(next);
    clearTimeout(timer);
    setTimer(
      setTimeout(async () => {
        const answer = await run(saveSettings({ backups: { ...saved, ...next } }));
        if (answer.ok) setTyped({});
      }, SETTLED_MS),
    );
  };
  return (
    <Group title="When" text="Also before every update and every restore.">
      <div>
        <div className="row bk-when">
          <Field label="By itself">
            <Segmented
              value={shown.daily ? 'daily' : 'never'}
              onValue={(value) => change({ daily: value === 'daily' })}
              options={[
                { value: 'daily', label: 'Every day' },
                { value: 'never', label: 'Never' },
              ]}
            />
          </Field>
          <Field label="At">
            <TextInput
              type="time"
              value={shown.at}
              onValue={(at) => at !== '' && change({ at })}
              disabled={!shown.daily}
            />
          </Field>
          <Field label="Keep">
            <NumberInput
              value={shown.keep}
              onValue={(keep) => keep !== null && change({ keep: Math.round(keep) })}
              min={1}
              max={MOST_BACKUPS}
            />
          </Field>
        </div>
        <p className="t3 bk-hint">
          {formatBytes(bytes)} now. The oldest goes when there are more; one that a restore needs stays.
        </p>
        <Refusal text={refusal} />
      </div>
    </Group>
  );
}
