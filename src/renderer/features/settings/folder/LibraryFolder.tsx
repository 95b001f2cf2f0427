import { useState } from 'react';
import { DEFAULT_LIBRARY, type LibrarySettings } from '../../../../shared/contract/settings.ts';
import type { LibraryFolder as Folder } from '../../../../shared/library/libraryFolder.ts';
import { t } from '../../../../shared/text/texts.ts';
import { saveSettings, useAction, useCall, useStudio } from '../../../app/index.ts';
import { call } from '../../../client/index.ts';
import { Button, Field, formatBytes, formatStamp, NumberInput, Reading, Segmented } from '../../../ui/index.ts';
import { Group, SettingsSection } from '../form.tsx';
import styles from '../settings.module.css';
import { useSettled } from '../useSettled.ts';
import { FolderField } from './FolderField.tsx';
import { MadeOf } from './MadeOf.tsx';
import { MoveIt } from './MoveIt.tsx';

/** Where the files are, how much space they use, moving them to another disk, and checking each against its record. */
export function LibraryFolder() {
  const read = useCall('library.folder', {}, { on: ['export.changed', 'library.checked', 'settings.changed'] });
  const { data, reload } = read;
  const space = useCall('library.space', {}, { on: ['asset.changed', 'export.changed'] });
  const { refusal, run } = useAction();
  const isChecking = data?.check?.state === 'running';
  const check = async () => {
    await run(call(isChecking ? 'library.cancelVerify' : 'library.verify', {}));
    reload();
  };
  return (
    <>
      <SettingsSection
        label={t`Library folder`}
        refusal={refusal}
        bar={
          <>
            <Button variant="ghost" off={isChecking ? undefined : data?.fault} onClick={() => void check()}>
              {isChecking ? t`Stop checking` : t`Check every file`}
            </Button>
            <Button variant="ghost" off={data?.fault} onClick={() => void run(call('library.reveal', {}))}>
              {t`Show in folder`}
            </Button>
          </>
        }
      >
        <Reading of={read}>
          {(folder) => (
            <>
              <Now folder={folder} freeBytes={space.data?.freeBytes} />
              {folder.fault === undefined ? (
                <MoveIt move={folder.move} onChange={reload} />
              ) : (
                <Elsewhere fault={folder.fault} onChange={reload} />
              )}
              <Limits binFrom={folder.binEmptiesFrom} />
            </>
          )}
        </Reading>
      </SettingsSection>
      <MadeOf space={space} check={data?.check} emptied={data?.binEmptied} onChange={reload} />
    </>
  );
}

const Now = ({ folder: { folder }, freeBytes }: { folder: Folder; freeBytes: number | undefined }) => (
  <Group title={t`Folder`}>
    <span className="in">
      <span className="cut mono" title={folder}>
        {folder}
      </span>
    </span>
    {freeBytes !== undefined && <p className="t3">{t`${formatBytes(freeBytes)} free on this disk`}</p>}
  </Group>
);

/** The library was not found: what that means, and where it may be now. */
function Elsewhere({ fault, onChange }: { fault: string; onChange: () => void }) {
  const [folder, setFolder] = useState('');
  const { refusal, run } = useAction();
  const locate = async () => {
    await run(call('library.locate', { folder: folder.trim() }));
    onChange();
  };
  return (
    <Group title={t`Missing`} text={t`Nothing is lost. Connect the disk or enter the new folder.`} refusal={refusal}>
      <p role="status">{fault}</p>
      <FolderField label={t`New folder`} value={folder} onValue={setFolder} onEnter={() => void locate()} />
      <div className="row">
        <span className="grow" />
        <Button off={folder.trim() === '' ? t`Enter a folder first.` : undefined} onClick={() => void locate()}>
          {t`Use this folder`}
        </Button>
      </div>
    </Group>
  );
}

const GB = 1_000_000_000;
const DAY_MS = 86_400_000;

const ROOMS = [
  { name: 'floorBytes', label: t`Keep free`, placeholder: t`None` },
  { name: 'warnBytes', label: t`Warn at`, placeholder: t`Never` },
] as const;

const BIN_DAYS = [
  { value: 'never', label: t`Never`, days: undefined },
  { value: '30', label: t`After 30 days`, days: 30 },
  { value: '90', label: t`After 90 days`, days: 90 },
] as const;

/** Days count from when the setting was made. `from` is when the first items may be deleted; undefined until counting has begun. */
function binWords(days: LibrarySettings['binDays'], from: number | undefined): string {
  if (days === undefined) return t`Nothing is deleted until you empty the bin.`;
  const start = from ?? Date.now() + days * DAY_MS;
  return start > Date.now()
    ? t`From ${formatStamp(start)} on, unused items in the bin are deleted for good.`
    : t`Unused items in the bin are deleted for good after ${days} days.`;
}

/** What happens when the disk fills. Changes apply at once. `binFrom`: no automatic deletion before this time. */
function Limits({ binFrom }: { binFrom: number | undefined }) {
  const saved = useStudio((state) => state.settings?.library ?? DEFAULT_LIBRARY);
  const { typed, change, refusal } = useSettled(
    () => useStudio.getState().settings?.library ?? DEFAULT_LIBRARY,
    (library) => saveSettings({ library }),
  );
  const shown = { ...saved, ...typed };
  return (
    <Group title={t`Limits`} refusal={refusal}>
      <div className={`row wrap ${styles.figures}`}>
        {ROOMS.map(({ name, label, placeholder }) => (
          <Field key={name} label={label}>
            <NumberInput
              value={shown[name] === 0 ? null : shown[name] / GB}
              onValue={(figure) => change({ [name]: Math.round((figure ?? 0) * GB) })}
              min={0}
              unit="GB"
              placeholder={placeholder}
              format={{ maximumFractionDigits: 3 }}
            />
          </Field>
        ))}
      </div>
      <p className="t3">{t`With less free space, no new jobs are sent.`}</p>
      <Field label={t`Empty bin`}>
        <Segmented
          full
          value={BIN_DAYS.find(({ days }) => days === shown.binDays)?.value ?? 'never'}
          onValue={(value) => change({ binDays: BIN_DAYS.find((one) => one.value === value)?.days })}
          options={BIN_DAYS.map(({ value, label }) => ({ value, label }))}
        />
      </Field>
      <p className="t3">{binWords(shown.binDays, shown.binDays === saved.binDays ? binFrom : undefined)}</p>
    </Group>
  );
}
