import { useState } from 'react';
import { t } from '../../../shared/text/texts.ts';
import { call, type Result } from '../../client/index.ts';
import {
  Button,
  Confirm,
  ErrorBox,
  type ErrorBoxProps,
  formatBytes,
  formatStamp,
  OfflineBox,
  Refusal,
  rich,
  UncertainBox,
} from '../../ui/index.ts';
import { RESTORED_QUEUE } from '../../words/index.ts';
import styles from '../app.module.css';
import { navigate } from '../route.ts';
import { loadStudio, useStudio } from '../state/studio.ts';
import { useAction } from '../useAction.ts';
import { KeyBanners } from './KeyBanner.tsx';

/** Banners over every page: the studio is lost, the database was damaged, the gateway is offline. */
export function Banners() {
  const link = useStudio((state) => state.link);
  if (link === 'signedOut')
    return (
      <Fault title={t`This page is no longer signed in`}>
        {t`Open the address that Dailies prints when it starts. Nothing you wrote is lost.`}
      </Fault>
    );
  if (link === 'lost') return <LostStudio />;
  return (
    <>
      <RoomBanner />
      <RecoveryBanner />
      <HeldBanner />
      <RepairBanner />
      <UnreadableBanner />
      <OfflineBanner />
      <KeyBanners />
    </>
  );
}

const Fault = (box: Pick<ErrorBoxProps, 'title' | 'children'>) => (
  <div className={styles.banner}>
    <ErrorBox {...box} />
  </div>
);

const START = 'npm start';

/** A restarted studio on the same folder has the same address, so this page reconnects by itself. */
function LostStudio() {
  const folder = useStudio((state) => state.info?.dataDir);
  const typed = folder === undefined ? START : `${START} -- --data-dir "${folder}"`;
  const command = <span className="mono">{typed}</span>;
  return (
    <div className={styles.banner}>
      <OfflineBox title={t`Dailies does not answer`}>
        {rich`Start Dailies again: open the program, or run ${command}. This page then reconnects. Nothing you wrote is lost.`}
      </OfflineBox>
    </div>
  );
}

/** The active gateway is offline. */
function OfflineBanner() {
  const isOffline = useStudio((state) => state.queue?.offline);
  if (!isOffline) return null;
  return (
    <div className={styles.banner}>
      <OfflineBox
        title={t`Offline`}
      >{t`Downloaded files stay usable. Dailies tries the gateway again by itself.`}</OfflineBox>
    </div>
  );
}

/** The disk was full or not writable at the start: the pages show the state of the last run. */
function RoomBanner() {
  const waits = useStudio((state) => state.queue?.waitsForRoom);
  const folder = useStudio((state) => state.info?.dataDir);
  if (!waits) return null;
  return (
    <Fault title={t`The disk is full or cannot be written`}>
      {rich`Read-only: the disk with ${<span className="mono">{folder}</span>} cannot be written. Free some space and Dailies continues.`}
    </Fault>
  );
}

/** The database is a restored backup: waiting jobs may have been paid since, and nothing is sent until the user resumes. */
function HeldBanner() {
  const at = useStudio((state) => state.queue?.restoredFrom);
  if (at === undefined) return null;
  const actions = (
    <>
      <Button onClick={() => navigate('queue')}>{t`Open the queue`}</Button>
      <Button variant="ghost" onClick={() => navigate('spend', {}, 'statement')}>{t`Check a bill`}</Button>
    </>
  );
  return (
    <div className={styles.banner}>
      <UncertainBox title={t`The queue is held: this is the backup of ${formatStamp(at)}`} actions={actions}>
        {RESTORED_QUEUE}
      </UncertainBox>
    </div>
  );
}

/** The settings file was damaged: says what of it is in use. */
function RepairBanner() {
  const notice = useStudio((state) => state.repairNotice);
  if (notice === undefined) return null;
  return <Fault title={t`Some settings were reset`}>{notice}</Fault>;
}

/** Says which gateways could not be read, and why. */
function UnreadableBanner() {
  const unreadable = useStudio((state) => state.unreadable);
  if (unreadable.length === 0) return null;
  return (
    <Fault title={t`Some settings cannot be read`}>
      <ul>
        {unreadable.map(({ id, name, message }) => (
          <li key={`${id} ${message}`}>
            {name ?? t`Gateway`}: {message}
          </li>
        ))}
      </ul>
      {t`The settings file keeps them unchanged.`}
    </Fault>
  );
}

function RecoveryBanner() {
  const recovery = useStudio((state) => state.info?.recovery);
  const { refusal, run, refuse } = useAction();
  const [asked, setAsked] = useState<{ name: string; loses: number; message: string }>();
  if (!recovery) return null;
  const take = async (backup: { name: string; loses?: number }) => {
    setAsked(undefined);
    refuse(undefined);
    const result = await call('store.restore', backup);
    const loses = result.ok ? undefined : result.error.data?.loses;
    if (!result.ok && typeof loses === 'number') setAsked({ name: backup.name, loses, message: result.error.message });
    else await choose(Promise.resolve(result));
  };
  const choose = async (chosen: Promise<Result<null>>) => {
    if ((await run(chosen)).ok) await loadStudio();
  };
  const file = <span className="mono">{recovery.movedTo}</span>;
  const title = recovery.inPlace
    ? t`The database is damaged, and still in use`
    : t`The damaged database was moved aside`;
  return (
    <Fault title={title}>
      <p>
        {recovery.inPlace
          ? rich`New work may be lost. Choose a backup; the damaged file ${file} is kept.`
          : rich`Choose a backup, or start empty. The damaged file is kept as ${file}.`}
      </p>
      <div className="row wrap box-actions">
        {recovery.backups.map(({ name, at, bytes }) => (
          <Button key={name} onClick={() => void take({ name })}>
            {formatStamp(at)}, {formatBytes(bytes)}
          </Button>
        ))}
        {!recovery.inPlace && <GoOnEmpty onChosen={() => void choose(call('store.goOnEmpty'))} />}
      </div>
      <Refusal text={refusal} />
      {asked && (
        <Confirm
          open
          title={t`Forget the jobs made since?`}
          actionLabel={t`Restore backup`}
          keep={t`Not yet`}
          onConfirm={() => void take({ name: asked.name, loses: asked.loses })}
          onClose={() => setAsked(undefined)}
        >
          {asked.message}
        </Confirm>
      )}
    </Fault>
  );
}

function GoOnEmpty({ onChosen }: { onChosen: () => void }) {
  const [isAsking, setAsking] = useState(false);
  const chosen = () => {
    setAsking(false);
    onChosen();
  };
  return (
    <>
      <Button variant="ghost" onClick={() => setAsking(true)}>
        {t`Start empty`}
      </Button>
      <Confirm
        open={isAsking}
        title={t`Continue without your history?`}
        actionLabel={t`Start empty`}
        keep={t`Not yet`}
        onConfirm={chosen}
        onClose={() => setAsking(false)}
      >
        {t`Dailies forgets running jobs, unfinished downloads and past spend. The damaged file stays; old backups are replaced in time.`}
      </Confirm>
    </>
  );
}
