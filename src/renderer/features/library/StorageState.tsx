import { useState } from 'react';
import type { Asset } from '../../../shared/asset.ts';
import { announce, cacheAssets } from '../../app/index.ts';
import { call } from '../../client/index.ts';
import { Button, formatStamp, Section, StorageGlyph } from '../../ui/index.ts';

/** Of what is not on this disk: where it is, for how long, why it has not come, and the way to fetch it now. */
export function StorageSection({ asset, now }: { asset: Asset; now: number }) {
  const [busy, setBusy] = useState(false);
  const [said, setSaid] = useState<string>();
  if (asset.state === 'local') return null;
  const download = async () => {
    setBusy(true);
    const answer = await call('library.download', { id: asset.id });
    setBusy(false);
    if (!answer.ok) return setSaid(answer.error.message);
    const text = answer.data.state === 'local' ? 'It is on disk now.' : 'Asked for again, ahead of the others.';
    setSaid(text);
    announce(text);
    cacheAssets([answer.data]);
  };
  return (
    <Section title="Custody" end={<StorageGlyph storage={asset} now={now} />}>
      <div className="col storage-state">
        <p className="t2">{storageSentence(asset)}</p>
        {asset.fault && asset.state !== 'expired' && <p className="t2">{asset.fault}</p>}
        <div className="row">
          <Button busy={busy} onClick={() => void download()}>
            Download now
          </Button>
          <span className="t3">{asset.state === 'expired' ? 'free, one more try' : 'free'}</span>
        </div>
        {said && (
          <p className="t2" role="status">
            {said}
          </p>
        )}
      </div>
    </Section>
  );
}

/** One sentence: where the bytes are, and until when. */
export function storageSentence({ state, expiresAt, expiryAssumed, fault }: Asset): string {
  if (state === 'expired') return `It is not on this disk, and was given up: ${fault ?? 'its link is over.'}`;
  if (expiresAt === undefined) return 'It is at the gateway only; nothing says that it ends.';
  const until = formatStamp(expiresAt);
  return expiryAssumed
    ? `It is at the gateway only. Nobody said for how long; it is taken to end ${until}.`
    : `It is at the gateway only, until ${until}.`;
}
