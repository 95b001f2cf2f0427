import type { Asset } from '../../../shared/asset.ts';
import { t } from '../../../shared/texts.ts';
import { DownloadNow } from '../../media/DownloadNow.tsx';
import { formatStamp, Section, StorageGlyph } from '../../ui/index.ts';
import styles from './library.module.css';

/** Of what is not on this disk: where it is, for how long, why it has not come, and the way to fetch it now. */
export function StorageSection({ asset }: { asset: Asset }) {
  if (asset.state === 'local') return null;
  return (
    <Section title={t`Storage`} end={<StorageGlyph storage={asset} />}>
      <div className={`col ${styles.storageState}`}>
        <p className="t2">{storageSentence(asset, Date.now())}</p>
        {asset.fault && asset.state !== 'expired' && <p className="t2">{asset.fault}</p>}
        <DownloadNow asset={asset} />
      </div>
    </Section>
  );
}

export function storageSentence({ state, deleted, expiresAt, expiryAssumed, fault }: Asset, now: number): string {
  if (deleted) return t`Deleted for good. Its history and cost are kept.`;
  if (state === 'expired')
    return fault ? t`Not stored here. Download failed: ${fault}` : t`Not stored here. The link has ended.`;
  if (expiresAt === undefined) return t`Only at the gateway, with no stated end.`;
  const until = formatStamp(expiresAt);
  if (expiresAt <= now) return t`The gateway’s link ended ${until}. The download may still work.`;
  return expiryAssumed
    ? t`Only at the gateway, probably until ${until}. The gateway does not say.`
    : t`Only at the gateway, until ${until}.`;
}
