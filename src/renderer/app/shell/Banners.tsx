import { useState } from 'react';
import { counted, inflected, t } from '../../../shared/texts.ts';
import { call, type Result } from '../../client/index.ts';
import {
  Button,
  Confirm,
  DoubtBox,
  ErrorBox,
  type ErrorBoxProps,
  formatBytes,
  formatStamp,
  OfflineBox,
  Refusal,
  rich,
} from '../../ui/index.ts';
import styles from '../app.module.css';
import { navigate } from '../route.ts';
import { loadStudio, useStudio } from '../state/studio.ts';
import { useAction } from '../useAction.ts';
import { KeyBanners } from './KeyBanner.tsx';

/** Over every page, and only when true: the studio is lost, the store was damaged, the gateway is away. */
export function Banners() {
  const link = useStudio((state) => state.link);
  if (link === 'signedOut')
    return (
      <Fault title={t`This page is no longer signed in`}>
        {t`The studio is served elsewhere now. Open it with the address that it prints when it starts; nothing you wrote is lost.`}
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

/** The same folder has the same address again, so that this page goes on by itself. */
function LostStudio() {
  const folder = useStudio((state) => state.info?.dataDir);
  const typed = folder === undefined ? START : `${START} -- --data-dir "${folder}"`;
  const command = <span className="mono">{typed}</span>;
  return (
    <div className={styles.banner}>
      <OfflineBox title={t`The studio does not answer`}>
        {rich`If Dailies has ended, start it again: open the program, or run ${command} where it is installed from source. This page then reconnects by itself. What you see may be old; nothing you wrote is lost.`}
      </OfflineBox>
    </div>
  );
}

/** The active gateway is away. What waits may wait for something else too, and a result may be nowhere but there. */
function OfflineBanner() {
  const queue = useStudio((state) => state.queue);
  const active = useStudio((state) => state.activeProfileId);
  if (!queue?.offline) return null;
  const elsewhere = queue.lanes.filter(({ profileId }) => profileId !== active);
  // What is being downloaded is in no lane, and may be of this gateway.
  const running = queue.running - elsewhere.reduce((sum, lane) => sum + lane.running, 0);
  const waiting = queue.waiting - elsewhere.reduce((sum, lane) => sum + lane.waiting, 0);
  const isHeld = queue.paused || queue.restoredFrom !== undefined;
  const parts = [
    t`What was downloaded is on your disk.`,
    running > 0 && t`Results that are only at the gateway are fetched when it can be reached again.`,
    waiting > 0 && !isHeld && t`What waits for nothing else goes on when it can be reached again, in order.`,
  ];
  return (
    <div className={styles.banner}>
      <OfflineBox title={t`Offline`}>{parts.filter(Boolean).join(' ')}</OfflineBox>
    </div>
  );
}

/** The disk was full at the start, or could not be written: what is read is as the last end left it. */
function RoomBanner() {
  const waits = useStudio((state) => state.queue?.waitsForRoom);
  const folder = useStudio((state) => state.info?.dataDir);
  if (!waits) return null;
  return (
    <Fault title={t`The disk is full, or cannot be written`}>
      {rich`Read-only until the disk of ${<span className="mono">{folder}</span>} can be written. Free some space and Dailies continues; nothing is sent twice.`}
    </Fault>
  );
}

/** The database is a backup: what waits in it may have been paid for since, and nothing is sent until the user says so. */
function HeldBanner() {
  const at = useStudio((state) => state.queue?.restoredFrom);
  const waiting = useStudio((state) => state.queue?.waiting ?? 0);
  if (at === undefined) return null;
  const actions = (
    <>
      <Button onClick={() => navigate('queue')}>{t`Open the queue`}</Button>
      <Button variant="ghost" onClick={() => navigate('spend', {}, 'statement')}>{t`Check a bill`}</Button>
    </>
  );
  return (
    <div className={styles.banner}>
      <DoubtBox title={t`The queue is held: this is the backup of ${formatStamp(at)}`} actions={actions}>
        {waiting > 0
          ? t`${counted(waiting, 'job')} ${inflected(waiting, 'waits', 'wait')} in the queue. Some may have run since: look at the bill of your gateway and cancel those before you press Resume all, or you may pay twice. New jobs wait too.`
          : t`New jobs wait until you press Resume all on the queue. Jobs made since the backup are not in this history: look at the bill of your gateway.`}
      </DoubtBox>
    </div>
  );
}

/** The settings file was damaged: what of it is in use now. */
function RepairBanner() {
  const notice = useStudio((state) => state.repairNotice);
  if (notice === undefined) return null;
  return <Fault title={t`The settings may not be those that you left`}>{notice}</Fault>;
}

/** Says which profiles could not be read, and why. */
function UnreadableBanner() {
  const unreadable = useStudio((state) => state.unreadable);
  if (unreadable.length === 0) return null;
  return (
    <Fault title={t`Not everything in the settings file can be used`}>
      <ul>
        {unreadable.map(({ id, name, message }) => (
          <li key={`${id} ${message}`}>
            {name === undefined ? t`A gateway without a name: ` : t`Gateway ${name}: `}
            {message}
          </li>
        ))}
      </ul>
      {t`It is kept there as it is, and nothing that you save takes it away.`}
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
    : t`The database was found damaged and was moved aside`;
  return (
    <Fault title={title}>
      <p>
        {recovery.inPlace
          ? rich`It is ${file}. What is written to it may be lost: choose a backup to go on from. The damaged file is kept beside it.`
          : rich`It is kept as ${file}. Choose a backup to go on from, or go on empty. Until then no backup is made by itself, and none is removed. What waits in a backup is sent only when you resume its queue.`}
      </p>
      <div className="row wrap cures">
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
          title={t`Give up what was ordered since?`}
          actionLabel={t`Take the backup`}
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
        {t`Go on empty`}
      </Button>
      <Confirm
        open={isAsking}
        title={t`Go on without the history?`}
        actionLabel={t`Go on empty`}
        keep={t`Not yet`}
        onConfirm={chosen}
        onClose={() => setAsking(false)}
      >
        {t`No backup is offered any more. Jobs that were under way are not followed, half downloads are removed at the next start, and what was paid for is in no sum here. The damaged file and the backups stay, but new backups push the old ones out in time.`}
      </Confirm>
    </>
  );
}
