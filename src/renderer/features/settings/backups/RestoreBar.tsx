import { type ReactNode, useRef, useState } from 'react';
import type { Project } from '../../../../shared/board/board.ts';
import type { Backup, RestorePreview } from '../../../../shared/contract/backupCalls.ts';
import { shortened } from '../../../../shared/text/shortened.ts';
import { t } from '../../../../shared/text/texts.ts';
import { announce, openProject, parseRoute, useAction, useStudio } from '../../../app/index.ts';
import { call } from '../../../client/index.ts';
import { Button, Field, formatStamp, Radios, Refusal, Section, Select, toast, WhyOff } from '../../../ui/index.ts';
import { FolderField } from '../folder/FolderField.tsx';

export type PastProject = RestorePreview['projects'][number];

interface HowMuchProps {
  projects: readonly PastProject[];
  /** Only this project is restored; without one, everything. */
  only: PastProject | undefined;
  /** The project that is suggested first. */
  first: PastProject;
  onOnly: (project: PastProject | undefined) => void;
}

export function HowMuch({ projects, only, first, onOnly }: HowMuchProps) {
  return (
    <Section title={t`Restore what`}>
      <Radios
        aria-label={t`Restore what`}
        value={only ? 'project' : 'all'}
        onValue={(value) => onOnly(value === 'all' ? undefined : first)}
        options={[
          { value: 'all', label: t`Everything` },
          { value: 'project', label: t`One project, as a copy` },
        ]}
      />
      {only && (
        <Field label={t`Project`} className="mt">
          <Select
            value={only.id}
            onValue={(id) => onOnly(projects.find((project) => project.id === id))}
            options={projects.map(({ id, name }) => ({ value: id, label: name }))}
          />
        </Field>
      )}
    </Section>
  );
}

const openNow = (): string | undefined => useStudio.getState().settings?.projectId;

/** If the user has moved on by then, the open project stays open and a message links to the restored one. */
async function showCopy({ id, name }: Pick<Project, 'id' | 'name'>, isAwaited: boolean): Promise<void> {
  if (!isAwaited) {
    const action = { label: t`Open`, onAction: () => void openProject(id) };
    return void toast({ text: t`Restored as the project ${name}.`, action });
  }
  if (await openProject(id)) announce(t`Restored as the project ${name}.`);
}

interface RestoreBarProps {
  backup: Backup;
  isRead: boolean;
  only: PastProject | undefined;
}

/** The two uses of a backup: restoring it here, or saving it as a file elsewhere. */
export function RestoreBar({ backup, isRead, only }: RestoreBarProps) {
  const { refusal, isBusy, run } = useAction();
  const off = isRead ? undefined : t`Loading`;
  const copy = async ({ id, name }: PastProject) => {
    const as = `${shortened(name, 150)}, ${formatStamp(backup.at)}`;
    const before = openNow();
    const made = await call('backups.copyProject', { id: backup.id, projectId: id, name: as });
    if (made.ok)
      await showCopy(made.data, parseRoute(window.location.hash).page === 'settings' && openNow() === before);
    return made;
  };
  const restore = async () => {
    const restored = await run<unknown>(only ? copy(only) : call('backups.restore', { id: backup.id }));
    if (restored.ok && !only) announce(t`Restored. The newest backup undoes this.`);
  };
  return (
    <div className="sendbar">
      <Refusal text={refusal} />
      {off ? <WhyOff>{off}</WhyOff> : !only && <p className="t2">{t`A backup is made first.`}</p>}
      <SaveElsewhere backup={backup} off={off}>
        <Button variant="primary" className="grow" off={off} busy={isBusy} onClick={() => void restore()}>
          {only ? t`Restore as a copy` : t`Restore`}
        </Button>
      </SaveElsewhere>
    </div>
  );
}

interface SaveElsewhereProps {
  backup: Backup;
  off: string | undefined;
  /** The button beside it. */
  children: ReactNode;
}

/** Copies the backup into another folder. */
function SaveElsewhere({ backup, off, children }: SaveElsewhereProps) {
  const { refusal, run, isBusy } = useAction();
  const [folder, setFolder] = useState<string>();
  const [saved, setSaved] = useState<string>();
  const button = useRef<HTMLButtonElement>(null);
  const save = async (to: string) => {
    if (isBusy || to.trim() === '') return;
    const answer = await run(call('backups.saveCopy', { id: backup.id, folder: to.trim() }));
    if (!answer.ok) return;
    setFolder(undefined);
    // The field that had the focus has disappeared.
    button.current?.focus();
    setSaved(answer.data.file);
  };
  const toggle = () => {
    setSaved(undefined);
    setFolder(folder === undefined ? '' : undefined);
  };
  const isOpen = folder !== undefined;
  return (
    <>
      {isOpen && (
        <div className="col gap">
          <FolderField
            label={t`Folder`}
            value={folder}
            onValue={setFolder}
            onEnter={() => void save(folder)}
            autoFocus
          />
          <Button
            busy={isBusy}
            off={folder.trim() === '' ? t`Enter a folder first.` : undefined}
            onClick={() => void save(folder)}
          >
            {t`Save a copy`}
          </Button>
        </div>
      )}
      {saved !== undefined && <p role="status" className="t2 anywhere">{t`Saved as ${saved} and verified.`}</p>}
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
