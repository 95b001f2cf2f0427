import { counted, inflected, t } from '../../../shared/texts.ts';
import { call } from '../../client/index.ts';
import { Button, ErrorBox, formatBytes, formatStamp, OfflineBox, rich } from '../../ui/index.ts';
import { loadStudio, useStudio } from '../state/studio.ts';

/** Over every page, and only when true: the studio is lost, the store was damaged, the gateway is away. */
export function Banners() {
  const link = useStudio((state) => state.link);
  const offline = useStudio((state) => state.queue?.offline ?? false);
  const waiting = useStudio((state) => state.queue?.waiting ?? 0);
  if (link === 'signedOut') {
    return (
      <div className="banner">
        <ErrorBox title={t`This page is no longer signed in`}>
          {t`The studio is served elsewhere now. Open it with the address that it prints when it starts; nothing you wrote is lost.`}
        </ErrorBox>
      </div>
    );
  }
  if (link === 'lost') {
    return (
      <div className="banner">
        <OfflineBox title={t`The studio does not answer`}>
          {t`What you see may be old. It is read again as soon as the studio is back; nothing you wrote is lost.`}
        </OfflineBox>
      </div>
    );
  }
  return (
    <>
      <RecoveryBanner />
      <UnreadableBanner />
      {offline && (
        <div className="banner">
          <OfflineBox title={t`Offline`}>
            {t`Everything made is here. ${counted(waiting, 'job')} ${inflected(waiting, 'waits', 'wait')} and ${inflected(waiting, 'goes', 'go in order')} when the gateway can be reached again.`}
          </OfflineBox>
        </div>
      )}
    </>
  );
}

/** Says which profiles could not be read, and why. */
function UnreadableBanner() {
  const unreadable = useStudio((state) => state.unreadable);
  if (unreadable.length === 0) return null;
  return (
    <div className="banner">
      <ErrorBox title={t`Not everything in the settings file can be used`}>
        <ul>
          {unreadable.map(({ id, name, message }) => (
            <li key={`${id} ${message}`}>
              {name === undefined ? t`A profile without a name: ` : t`Profile ${name}: `}
              {message}
            </li>
          ))}
        </ul>
        {t`It is kept there as it is, and nothing that you save takes it away.`}
      </ErrorBox>
    </div>
  );
}

function RecoveryBanner() {
  const recovery = useStudio((state) => state.info?.recovery);
  if (!recovery) return null;
  const restore = async (name: string) => {
    const answer = await call('store.restore', { name });
    if (answer.ok) await loadStudio();
  };
  return (
    <div className="banner">
      <ErrorBox title={t`The database was found damaged and was moved aside`}>
        <p>
          {rich`It is kept as ${<span className="mono">{recovery.movedTo}</span>}. Choose a backup to go on from, or go on empty.`}
        </p>
        <div className="row wrap cures">
          {recovery.backups.map((backup) => (
            <Button key={backup.name} onClick={() => void restore(backup.name)}>
              {formatStamp(backup.at)}, {formatBytes(backup.bytes)}
            </Button>
          ))}
        </div>
      </ErrorBox>
    </div>
  );
}
