import { useState } from 'react';
import type { LibraryFolder as Folder, LibrarySpace } from '../../../../shared/libraryFolder.ts';
import { t } from '../../../../shared/texts.ts';
import { useAction, useCall, useStudio } from '../../../app/index.ts';
import { call } from '../../../client/index.ts';
import { Button, formatBytes, Panel, Reading, Refusal, rich } from '../../../ui/index.ts';
import { Group } from '../form.tsx';
import settingsStyles from '../settings.module.css';
import { FolderField } from './FolderField.tsx';
import styles from './folder.module.css';
import { Limits } from './Limits.tsx';
import { MadeOf } from './MadeOf.tsx';
import { MoveIt } from './MoveIt.tsx';

/** Where the files lie, what they take, their move to another disk, and whether each is as it was recorded. */
export function LibraryFolder() {
  const read = useCall('library.folder', {}, { on: ['export.changed', 'library.checked', 'settings.changed'] });
  const { data, reload } = read;
  const space = useCall('library.space', {}, { on: ['asset.changed', 'export.changed'] });
  return (
    <>
      <Panel label={t`Library folder`} side="centre">
        <Head folder={data} onChange={reload} />
        <div className={`scroll ${settingsStyles.set}`}>
          <Reading of={read} label={t`Reading where the library is`}>
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
        </div>
      </Panel>
      <MadeOf space={space} check={data?.check} emptied={data?.binEmptied} onChange={reload} />
    </>
  );
}

function Head({ folder, onChange }: { folder: Folder | undefined; onChange: () => void }) {
  const { refusal, run } = useAction();
  const isChecking = folder?.check?.state === 'running';
  const check = async () => {
    await run(call(isChecking ? 'library.cancelVerify' : 'library.verify', {}));
    onChange();
  };
  return (
    <>
      <div className="bar">
        <h2>{t`Library folder`}</h2>
        <span className="t3 cut">{t`where every take, picture and mask lies`}</span>
        <span className="grow" />
        <Button variant="ghost" off={isChecking ? undefined : folder?.fault} onClick={() => void check()}>
          {isChecking ? t`Stop checking, ${folder?.check?.progress ?? 0} %` : t`Check every file`}
        </Button>
        <Button variant="ghost" off={folder?.fault} onClick={() => void run(call('library.reveal', {}))}>
          {t`Show in folder`}
        </Button>
      </div>
      {refusal !== undefined && (
        <div className="pad">
          <Refusal text={refusal} />
        </div>
      )}
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
      <div className={`col ${styles.now}`}>
        <span className="in">
          <span className="cut mono" title={folder.folder}>
            {folder.folder}
          </span>
        </span>
        {space && (
          <>
            <span className={`mbar ${styles.lfBar}`} aria-hidden="true">
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
