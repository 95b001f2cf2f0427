import type { Asset } from '../../../shared/asset.ts';
import { t } from '../../../shared/texts.ts';
import { DownloadNow } from '../../media/DownloadNow.tsx';
import { formatStamp, Section, StorageGlyph } from '../../ui/index.ts';
import styles from './library.module.css';

/** Of what is not on this disk: where it is, for how long, why it has not come, and the way to fetch it now. */
export function StorageSection({ asset }: { asset: Asset }) {
  if (asset.state === 'local') return null;
  return (
    <Section title={t`Custody`} end={<StorageGlyph storage={asset} />}>
      <div className={`col ${styles.storageState}`}>
        <p className="t2">{storageSentence(asset, Date.now())}</p>
        {asset.fault && asset.state !== 'expired' && <p className="t2">{asset.fault}</p>}
        <DownloadNow asset={asset} />
      </div>
    </Section>
  );
}

/** One sentence: where the bytes are, and until when. */
export function storageSentence({ state, deleted, expiresAt, expiryAssumed, fault }: Asset, now: number): string {
  if (deleted) return t`It was deleted from the bin for ever; what it was and cost is still known.`;
  if (state === 'expired') return t`It is not on this disk, and was given up: ${fault ?? t`its link is over.`}`;
  if (expiresAt === undefined) return t`It is at the gateway only; nothing says that it ends.`;
  const until = formatStamp(expiresAt);
  if (expiresAt <= now) return t`Its link at the gateway ended ${until}. It may still come.`;
  return expiryAssumed
    ? t`It is at the gateway only. Nobody said for how long; it is taken to end ${until}.`
    : t`It is at the gateway only, until ${until}.`;
}
