import { useState } from 'react';
import type {
  Backup,
  ChangedType,
  RestoredChange,
  RestoredItem,
  RestoredType,
  RestorePreview,
} from '../../../../shared/contract/backupCalls.ts';
import { counted, inflected, t } from '../../../../shared/text/texts.ts';
import { useCall, useProject } from '../../../app/index.ts';
import { CheckGlyph, formatCount, formatStamp, Panel, Reading, Section } from '../../../ui/index.ts';
import styles from './backups.module.css';
import { HowMuch, type PastProject, RestoreBar } from './RestoreBar.tsx';

/** What a restore would take away, bring back and leave alone. It is read from the copy; nothing is changed until the button. */
export function Preview({ backup }: { backup: Backup | undefined }) {
  return (
    <Panel label={t`Restore`}>
      <div className="bar">
        <h2>{backup ? t`Restore ${formatStamp(backup.at)}` : t`Restore`}</h2>
        <span className="grow" />
        {backup && <span className="t3">{t`preview`}</span>}
      </div>
      {backup ? (
        <Look key={backup.id} backup={backup} />
      ) : (
        <p className="t2 pad">{t`Choose a backup to see what it would bring back.`}</p>
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
  project: t`project`,
  shot: t`shot`,
  chat: t`chat`,
  message: t`message`,
  job: t`unsent job`,
  asset: t`file`,
  plan: t`overnight plan`,
};
const MOST_NAMED = 12;

function Changes({ preview }: { preview: RestorePreview }) {
  const { gone, goneCount, back, backCount, changed } = preview;
  if (goneCount + backCount + changed.length === 0)
    return <p className="t2 pad">{t`All that a backup holds is as it was then: a restore would change nothing.`}</p>;
  return (
    <>
      <p className="t2 pad">{t`Read now, nothing is changed.`}</p>
      <Items title={t`Would go, into the bins and branches`} items={gone} count={goneCount} />
      <Items title={t`Would come back`} items={back} count={backCount} />
      {changed.length > 0 && <Others changed={changed} />}
    </>
  );
}

const CHANGED_WORDS: Record<ChangedType, (count: number) => string> = {
  project: (count) => t`${counted(count, 'name of a project', 'names of projects')}`,
  board: (count) => t`${counted(count, 'board beside its shots', 'boards beside their shots')}`,
  shot: (count) => t`${counted(count, 'shot', 'shots')}`,
  verdict: (count) => t`${counted(count, 'verdict', 'verdicts')}`,
  chat: (count) => t`${counted(count, 'chat', 'chats')}`,
  asset: (count) => t`${counted(count, 'file with its star and tags', 'files with their stars and tags')}`,
};

/** What stays, and would be as it was. */
const Others = ({ changed }: { changed: readonly RestoredChange[] }) => (
  <Section title={t`Would be as it was then`}>
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
          <li key={`${type} ${id}`}>
            <span className="t3">{TYPES[type]}</span>
            <span className="cut" title={name}>
              {name}
            </span>
          </li>
        ))}
      </ul>
      {more > 0 && <p className="t3">{t`and ${formatCount(more)} more`}</p>}
    </Section>
  );
}

function Kept({ kept }: Pick<RestorePreview, 'kept'>) {
  const { ledgerEntries, doubts, files } = kept;
  const lines = [
    ledgerEntries > 0
      ? t`The ledger since then: ${counted(ledgerEntries, 'entry', 'entries')}. Money is not forgotten.`
      : t`The ledger. Money is not forgotten.`,
    files > 0 ? t`${counted(files, 'media file')} since then, in the Library.` : t`Every media file.`,
    doubts > 0 ? t`${counted(doubts, 'job')} ${inflected(doubts, 'stays', 'stay')} unconfirmed.` : t`Unconfirmed jobs.`,
    t`Every job that was sent, and every key.`,
  ];
  return (
    <Section title={t`Kept, whatever you restore`}>
      <ul className={styles.kept}>
        {lines.map((line) => (
          <li key={line}>
            <CheckGlyph />
            {line}
          </li>
        ))}
      </ul>
    </Section>
  );
}
