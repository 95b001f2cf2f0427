import { useState } from 'react';
import type {
  Backup,
  ChangedType,
  RestoredChange,
  RestoredItem,
  RestoredType,
  RestorePreview,
} from '../../../../shared/contract/backupCalls.ts';
import { counted, t } from '../../../../shared/text/texts.ts';
import { useCall, useProject } from '../../../app/index.ts';
import { CheckGlyph, formatCount, formatStamp, Panel, Reading, Section } from '../../../ui/index.ts';
import styles from './backups.module.css';
import { HowMuch, type PastProject, RestoreBar } from './RestoreBar.tsx';

/** What a restore would remove, bring back and leave alone. Read from the backup; nothing changes until the button is pressed. */
export function Preview({ backup }: { backup: Backup | undefined }) {
  return (
    <Panel label={t`Restore`}>
      <div className="bar">
        <h2>{backup ? t`Restore ${formatStamp(backup.at)}` : t`Restore`}</h2>
      </div>
      {backup ? (
        <Look key={backup.id} backup={backup} />
      ) : (
        <p className="t2 pad">{t`Choose a backup to preview it.`}</p>
      )}
    </Panel>
  );
}

function Look({ backup }: { backup: Backup }) {
  const read = useCall('backups.preview', { id: backup.id }, { on: ['backups.changed'] });
  const { data } = read;
  const [only, setOnly] = useState<PastProject>();
  const openId = useProject()?.id;
  const projects = data?.projects ?? [];
  const first = projects.find(({ id }) => id === openId) ?? projects[0];
  return (
    <>
      <div className="scroll">
        <Reading of={read}>
          {(preview) => (
            <>
              <Changes preview={preview} />
              <Kept kept={preview.kept} />
            </>
          )}
        </Reading>
        {first && <HowMuch projects={projects} only={only} first={first} onOnly={setOnly} />}
      </div>
      <RestoreBar backup={backup} isRead={data !== undefined} only={only} />
    </>
  );
}

const TYPES: Record<RestoredType, string> = {
  project: t`Project`,
  shot: t`Shot`,
  chat: t`Chat`,
  message: t`Message`,
  job: t`Job`,
  asset: t`File`,
  plan: t`Overnight run`,
};
const MOST_NAMED = 12;

function Changes({ preview }: { preview: RestorePreview }) {
  const { gone, goneCount, back, backCount, changed } = preview;
  if (goneCount + backCount + changed.length === 0)
    return <p className="t2 pad">{t`A restore would change nothing.`}</p>;
  return (
    <>
      <Items title={t`Moves to the bin`} items={gone} count={goneCount} />
      <Items title={t`Comes back`} items={back} count={backCount} />
      {changed.length > 0 && <Others changed={changed} />}
    </>
  );
}

const CHANGED_WORDS: Record<ChangedType, (count: number) => string> = {
  project: (count) => t`${counted(count, 'project name')}`,
  board: (count) => t`${counted(count, 'board')}`,
  shot: (count) => t`${counted(count, 'shot')}`,
  verdict: (count) => t`${counted(count, 'rating')}`,
  chat: (count) => t`${counted(count, 'chat')}`,
  asset: (count) => t`${counted(count, 'file')}`,
};

const Others = ({ changed }: { changed: readonly RestoredChange[] }) => (
  <Section title={t`Returns to its old state`}>
    <ul className={styles.items}>
      {changed.map(({ type, count }) => (
        <li key={type}>{CHANGED_WORDS[type](count)}</li>
      ))}
    </ul>
  </Section>
);

function Items({ title, items, count }: { title: string; items: readonly RestoredItem[]; count: number }) {
  if (count === 0) return null;
  const more = count - Math.min(items.length, MOST_NAMED);
  return (
    <Section title={`${title}: ${formatCount(count)}`}>
      <ul className={styles.items}>
        {items.slice(0, MOST_NAMED).map(({ type, id, title: name }) => (
          <li key={`${type} ${id}`} className="row">
            <span className="t3">{TYPES[type]}</span>
            <span className="cut" title={name}>
              {name}
            </span>
          </li>
        ))}
      </ul>
      {more > 0 && <p className="t3">{t`And ${formatCount(more)} more`}</p>}
    </Section>
  );
}

function Kept({ kept }: Pick<RestorePreview, 'kept'>) {
  const { ledgerEntries, doubts, files } = kept;
  const lines = [
    ledgerEntries > 0 ? t`Ledger: ${counted(ledgerEntries, 'newer entry', 'newer entries')}` : t`Ledger`,
    files > 0 ? t`${counted(files, 'newer media file')}` : t`Media files`,
    doubts > 0 ? t`${counted(doubts, 'unconfirmed job')}` : t`Unconfirmed jobs`,
    t`Sent jobs and keys`,
  ];
  return (
    <Section title={t`Never restored or removed`}>
      <ul>
        {lines.map((line) => (
          <li key={line} className="row">
            <CheckGlyph />
            {line}
          </li>
        ))}
      </ul>
    </Section>
  );
}
