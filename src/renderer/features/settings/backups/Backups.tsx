import { Info } from 'lucide-react';
import { useState } from 'react';
import type { Backup, BackupReason } from '../../../../shared/backupCalls.ts';
import { DEFAULT_BACKUPS } from '../../../../shared/settings.ts';
import { t } from '../../../../shared/texts.ts';
import { announce, useAction, useCall, useStudio } from '../../../app/index.ts';
import { call } from '../../../client/index.ts';
import {
  Button,
  CheckGlyph,
  formatBytes,
  formatCount,
  formatStamp,
  Icon,
  Panel,
  Reading,
  Refusal,
} from '../../../ui/index.ts';
import settingsStyles from '../settings.module.css';
import styles from './backups.module.css';
import { Preview } from './Preview.tsx';
import { When } from './When.tsx';

/** When copies are made, those that are kept, and what one of them would bring back. */
export function Backups() {
  const read = useCall('backups.list', {}, { on: ['backups.changed'] });
  const [chosen, setChosen] = useState<string>();
  const backups = read.data?.backups ?? [];
  const backup = backups.find(({ id }) => id === chosen);
  return (
    <>
      <Panel label={t`Backups`} side="centre">
        <Head />
        <div className={`scroll ${settingsStyles.set} ${styles.set}`}>
          <When bytes={backups.reduce((sum, { bytes }) => sum + bytes, 0)} />
          <Reading of={read} label={t`Reading the backups`}>
            {() => <Kept backups={backups} chosen={backup?.id} onChoose={setChosen} />}
          </Reading>
          <p className={`t2 ${styles.bkNote} row`}>
            <Icon of={Info} />
            {t`Media files are not in a backup: they are named by their checksum and never overwritten. A restore finds them where they are. Gateways with their prices, and these settings, are not in it either: they are in settings.json.`}
          </p>
        </div>
      </Panel>
      <Preview backup={backup} />
    </>
  );
}

function Head() {
  const { refusal, run, isBusy } = useAction();
  const make = async () => {
    const answer = await run(call('backups.make', {}));
    if (answer.ok) announce(t`Backed up, ${formatBytes(answer.data.bytes)}, and read back`);
  };
  return (
    <>
      <div className="bar">
        <h2>{t`Backups`}</h2>
        <span className="t3 cut">{t`of boards, chats, jobs, money and the entries of the library`}</span>
        <span className="grow" />
        <Button busy={isBusy} onClick={() => void make()}>
          {t`Back up now`}
        </Button>
      </div>
      {refusal !== undefined && (
        <div className={styles.bkNote}>
          <Refusal text={refusal} />
        </div>
      )}
    </>
  );
}

const REASONS: Record<BackupReason, string> = {
  now: t`by you`,
  daily: t`daily`,
  update: t`before an update`,
  restore: t`before a restore`,
  other: t`from elsewhere`,
};

/** Not at the one of a migration, nor at what somebody else put there: they are read when they are chosen. */
const ReadBack = () => (
  <span className="t2">
    <CheckGlyph />
    {t`read back`}
  </span>
);

interface KeptProps {
  backups: readonly Backup[];
  chosen: string | undefined;
  onChoose: (id: string) => void;
}

function Kept({ backups, chosen, onChoose }: KeptProps) {
  const isDaily = useStudio((state) => state.settings?.backups?.daily ?? DEFAULT_BACKUPS.daily);
  if (backups.length === 0)
    return (
      <p className={`t2 ${styles.bkNote}`}>
        {isDaily
          ? t`There is none yet. The first is made by itself, some minutes after a start, or by you.`
          : t`There is none yet. One is made before an update or a restore, or by you.`}
      </p>
    );
  return (
    <section className={styles.keptList} aria-label={t`Kept backups`}>
      <h3 className={`lab ${styles.head}`}>
        {t`Kept`} <span className="t3">{t`${formatCount(backups.length)}, newest first`}</span>
      </h3>
      <ul className={styles.list}>
        {backups.map(({ id, at, reason, bytes, monthly, readBack }) => (
          <li key={id}>
            <button type="button" aria-pressed={id === chosen} onClick={() => onChoose(id)}>
              <span className="nums">{formatStamp(at)}</span>
              <span className="t2 cut">{monthly ? t`monthly, ${REASONS[reason]}` : REASONS[reason]}</span>
              <span className="r nums">{formatBytes(bytes)}</span>
              {readBack ? <ReadBack /> : <span className="t3">{t`not read back`}</span>}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
