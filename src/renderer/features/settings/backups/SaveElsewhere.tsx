import { type ReactNode, useRef, useState } from 'react';
import type { Backup } from '../../../../shared/backupCalls.ts';
import { t } from '../../../../shared/texts.ts';
import { announce, useAction } from '../../../app/index.ts';
import { call } from '../../../client/index.ts';
import { Button, formatBytes, Refusal } from '../../../ui/index.ts';
import { FolderField } from '../folder/FolderField.tsx';
import styles from './backups.module.css';

interface SaveElsewhereProps {
  backup: Backup;
  off: string | undefined;
  /** The button beside it. */
  children: ReactNode;
}

/** Copies the backup into a folder of the user's. */
export function SaveElsewhere({ backup, off, children }: SaveElsewhereProps) {
  const { refusal, run, isBusy } = useAction();
  const [folder, setFolder] = useState<string>();
  const [saved, setSaved] = useState<string>();
  const button = useRef<HTMLButtonElement>(null);
  const save = async (to: string) => {
    if (isBusy || to.trim() === '') return;
    const answer = await run(call('backups.saveCopy', { id: backup.id, folder: to.trim() }));
    if (!answer.ok) return;
    setFolder(undefined);
    // The field that had the focus is gone.
    button.current?.focus();
    setSaved(answer.data.file);
    announce(t`Saved, ${formatBytes(answer.data.bytes)}, and read back`);
  };
  const toggle = () => {
    setSaved(undefined);
    setFolder(folder === undefined ? '' : undefined);
  };
  const isOpen = folder !== undefined;
  return (
    <>
      {isOpen && (
        <div className={styles.save}>
          <FolderField
            label={t`Save it in`}
            value={folder}
            onValue={setFolder}
            onEnter={() => void save(folder)}
            autoFocus
          />
          <Button
            busy={isBusy}
            off={folder.trim() === '' ? t`Name the folder.` : undefined}
            onClick={() => void save(folder)}
          >
            {t`Save the copy`}
          </Button>
        </div>
      )}
      {saved !== undefined && <p className={`t2 ${styles.saved}`}>{t`Saved as ${saved}, and read back there.`}</p>}
      <Refusal text={refusal} />
      <div className="row">
        {children}
        <Button ref={button} off={off} aria-expanded={isOpen} onClick={toggle}>
          {t`Save elsewhere`}
        </Button>
      </div>
    </>
  );
}
