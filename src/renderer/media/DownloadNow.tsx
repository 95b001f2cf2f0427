import { useState } from 'react';
import type { Asset } from '../../shared/asset.ts';
import { announce, cacheAssets } from '../app/index.ts';
import { call } from '../client/index.ts';
import { Button } from '../ui/index.ts';

/** Fetches what is only at the gateway, ahead of the others; nothing is shown for what lies on the disk or was deleted. */
export function DownloadNow({ asset, bare }: { asset: Asset; bare?: boolean }) {
  const [busy, setBusy] = useState(false);
  const [said, setSaid] = useState<string>();
  if (asset.state === 'local' || asset.deleted) return null;
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
    <>
      <div className="row">
        <Button variant={bare ? 'ghost' : 'secondary'} busy={busy} onClick={() => void download()}>
          Download now
        </Button>
        {!bare && <span className="t3">{asset.state === 'expired' ? 'free, one more try' : 'free'}</span>}
      </div>
      {said && (
        <p className="t2" role="status">
          {said}
        </p>
      )}
    </>
  );
}
