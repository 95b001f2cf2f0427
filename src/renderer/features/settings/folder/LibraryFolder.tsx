import { useState } from 'react';
import { DEFAULT_LIBRARY, type LibrarySettings } from '../../../../shared/contract/settings.ts';
import type { LibraryFolder as Folder, LibrarySpace } from '../../../../shared/library/libraryFolder.ts';
import { t } from '../../../../shared/text/texts.ts';
import { saveSettings, useAction, useCall, useStudio } from '../../../app/index.ts';
import { call } from '../../../client/index.ts';
import { Button, Field, formatBytes, formatStamp, NumberInput, Reading, rich, Segmented } from '../../../ui/index.ts';
import { Group, SettingsSection } from '../form.tsx';
import styles from '../settings.module.css';
import { useSettled } from '../useSettled.ts';
import { FolderField } from './FolderField.tsx';
import { MadeOf } from './MadeOf.tsx';
import { MoveIt } from './MoveIt.tsx';

/** Where the files lie, what they take, their move to another disk, and whether each is as it was recorded. */
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
        note={t`where every take, picture and mask lies`}
        refusal={refusal}
        bar={
          <>
            <Button variant="ghost" off={isChecking ? undefined : data?.fault} onClick={() => void check()}>
              {isChecking ? t`Stop checking, ${data.check?.progress ?? 0} %` : t`Check every file`}
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
              <Now folder={folder} space={space.data} />
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

const shareOf = (bytes: number, whole: number): string => `${whole === 0 ? 0 : (bytes / whole) * 100}%`;

function Now({ folder, space }: { folder: Folder; space: LibrarySpace | undefined }) {
  const floor = useStudio((state) => state.settings?.library?.floorBytes ?? 0);
  const bin = space?.parts.find(({ part }) => part === 'bin')?.bytes ?? 0;
  const kept = (space?.parts.reduce((sum, { bytes }) => sum + bytes, 0) ?? 0) - bin;
  const whole = kept + bin + (space?.freeBytes ?? 0);
  return (
    <Group title={t`Now`} text={t`Named by checksum, one file once.`}>
      <div className="col gap">
        <span className="in">
          <span className="cut mono" title={folder.folder}>
            {folder.folder}
          </span>
        </span>
        {space && (
          <>
            <span className="mbar" aria-hidden="true">
              <i className="s" style={{ width: shareOf(kept, whole) }} />
              <i className="r" style={{ width: shareOf(bin, whole) }} />
            </span>
            <div className="row legend">
              <span>
                <i className="sw sq s" />
                {t`Library`} <b>{formatBytes(kept)}</b>
              </span>
              <span>
                <i className="sw sq r" />
                {t`Bin`} <b>{formatBytes(bin)}</b>
              </span>
              <span className="t3">
                {rich`${formatBytes(space.freeBytes)} free${floor > 0 && t`, floor ${formatBytes(floor)}`}`}
              </span>
            </div>
          </>
        )}
      </div>
    </Group>
  );
}

/** The library is not there: what that means, and where it may be by now. */
function Elsewhere({ fault, onChange }: { fault: string; onChange: () => void }) {
  const [folder, setFolder] = useState('');
  const { refusal, run } = useAction();
  const locate = async () => {
    await run(call('library.locate', { folder: folder.trim() }));
    onChange();
  };
  return (
    <Group
      title={t`Not there`}
      text={t`Nothing is lost and nothing is begun anew. It goes on when the disk is back.`}
      refusal={refusal}
    >
      <p role="status">{fault}</p>
      <FolderField label={t`It is here now`} value={folder} onValue={setFolder} onEnter={() => void locate()} />
      <div className="row">
        <span className="grow" />
        <Button off={folder.trim() === '' ? t`Name the folder.` : undefined} onClick={() => void locate()}>
          {t`Use it`}
        </Button>
      </div>
    </Group>
  );
}

const GB = 1_000_000_000;

const ROOMS = [
  { name: 'floorBytes', label: t`Disk floor`, placeholder: t`none` },
  { name: 'warnBytes', label: t`Warn at`, placeholder: t`never` },
] as const;

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
function Limits({ binFrom }: { binFrom: number | undefined }) {
  const saved = useStudio((state) => state.settings?.library ?? DEFAULT_LIBRARY);
  const { typed, change, refusal } = useSettled(
    () => useStudio.getState().settings?.library ?? DEFAULT_LIBRARY,
    (library) => saveSettings({ library }),
  );
  const shown = { ...saved, ...typed };
  return (
    <Group title={t`Limits`} text={t`What happens when it fills.`} refusal={refusal}>
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
        <Field label={t`Empty the bin by itself`}>
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
