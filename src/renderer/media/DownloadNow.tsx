import { useState } from 'react';
import type { Asset } from '../../shared/library/asset.ts';
import { t } from '../../shared/text/texts.ts';
import { announce, cacheAssets, useAction } from '../app/index.ts';
import { call } from '../client/index.ts';
import { Button, Refusal } from '../ui/index.ts';

interface DownloadNowProps {
  asset: Asset;
  bare?: boolean;
  /** Whether its file is missing. */
  isGone?: boolean;
}

/** Downloads a file that is only at the gateway before all others; shows nothing for files that are stored here or deleted. */
export function DownloadNow({ asset, bare, isGone }: DownloadNowProps) {
  const { refusal, run, isBusy } = useAction();
  const [said, setSaid] = useState<string>();
  if ((asset.state === 'local' && !isGone) || asset.deleted) return null;
  const download = async () => {
    const answer = await run(call('library.download', { id: asset.id }));
    if (!answer.ok) return setSaid(undefined);
    const text = answer.data.state === 'local' ? t`The file is stored here now.` : t`Downloading next.`;
    setSaid(text);
    announce(text);
    cacheAssets([answer.data]);
  };
  return (
    <>
      <div className="row">
        <Button variant={bare ? 'ghost' : 'secondary'} busy={isBusy} onClick={() => void download()}>
          {t`Download now`}
        </Button>
        {!bare && <span className="t3">{asset.state === 'expired' ? t`Free, one more try` : t`Free`}</span>}
      </div>
      <Refusal text={refusal} />
      {said && (
        <p className="t2" role="status">
          {said}
        </p>
      )}
    </>
  );
}
