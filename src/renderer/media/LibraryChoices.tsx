import { Search } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { Asset } from '../../shared/library/asset.ts';
import { t } from '../../shared/text/texts.ts';
import { cacheAssets, useCall } from '../app/index.ts';
import { AssetImage, formatSeconds, Icon, TextInput } from '../ui/index.ts';

import styles from './libraryChoices.module.css';

interface LibraryChoicesProps {
  medium: 'image' | 'video';
  onPick: (asset: Asset) => void;
  /** Ids of those already selected. */
  chosen?: ReadonlySet<string>;
}

/** The pictures or clips of the library with a search; a click chooses one. */
export function LibraryChoices({ medium, onPick, chosen }: LibraryChoicesProps) {
  const [text, setText] = useState('');
  const library = useCall(
    'library.list',
    {
      types: [medium],
      roles: ['output', 'source', 'frame'],
      limit: 60,
      ...(text.trim() === '' ? {} : { text: text.trim() }),
    },
    { debounceMs: 150 },
  );
  return (
    <>
      <TextInput
        aria-label={t`Search the library`}
        placeholder={t`Search the library`}
        before={<Icon of={Search} />}
        value={text}
        onValue={setText}
      />
      {library.error && <p className="err">{library.error.message}</p>}
      <PickerGroup title={t`Library`}>
        {library.data?.assets.map((asset) => (
          <AssetChoice
            key={asset.id}
            asset={asset}
            isChosen={chosen?.has(asset.id)}
            onPick={() => {
              cacheAssets([asset]);
              onPick(asset);
            }}
          />
        ))}
        {library.data?.assets.length === 0 && <p className="t2">{text ? t`Nothing found` : t`Nothing made yet`}</p>}
      </PickerGroup>
    </>
  );
}

export function PickerGroup({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title}>
      <h3 className="lab">{title}</h3>
      <div className={styles.picks}>{children}</div>
    </section>
  );
}

interface AssetChoiceProps {
  asset: Asset;
  /** Undefined if only one can be chosen. */
  isChosen: boolean | undefined;
  onPick: () => void;
}

function AssetChoice({ asset, isChosen, onPick }: AssetChoiceProps) {
  return (
    <button type="button" className={styles.pickTile} aria-pressed={isChosen} onClick={onPick} title={asset.name}>
      <span className="media">
        <AssetImage asset={asset} className="fill" />
        {asset.seconds !== undefined && <span className="ov br">{formatSeconds(asset.seconds)}</span>}
      </span>
      <span className="cut">{asset.name}</span>
    </button>
  );
}
