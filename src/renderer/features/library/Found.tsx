import type { Asset } from '../../../shared/library/asset.ts';
import { promptsFound } from '../../../shared/library/provenance.ts';
import { counted, t } from '../../../shared/text/texts.ts';
import { navigate, useCall } from '../../app/index.ts';
import { Button, Section } from '../../ui/index.ts';
import styles from './library.module.css';

/** What a file from elsewhere says about how it was made: unverified, but a starting point. */
export function Found({ asset }: { asset: Asset }) {
  const isForeign = asset.jobId === undefined && asset.state === 'local';
  const { data } = useCall('library.found', isForeign ? { id: asset.id } : null);
  const prompts = data ? promptsFound(data) : [];
  if (!data || (prompts.length === 0 && !data.c2pa)) return null;
  return (
    <Section
      title={data.elsewhere ? t`Prompt` : t`Found in the file`}
      end={<span className="t3">{t`Not verified`}</span>}
    >
      {prompts.slice(0, MOST_SHOWN).map((prompt, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a film may say the same words of two shots.
        <p key={index} className={styles.prompt}>
          {prompt}
        </p>
      ))}
      {prompts.length > MOST_SHOWN && <p className="t3">{t`And ${prompts.length - MOST_SHOWN} more`}</p>}
      {data.c2pa && <p className="t2">{t`With content credentials (C2PA).`}</p>}
      {prompts.length > 0 && <Recall asset={asset} count={prompts.length} />}
    </Section>
  );
}

/** A film has the prompts of many shots; the board gets all of them. */
const MOST_SHOWN = 5;

function Recall({ asset: { id, mime }, count }: { asset: Asset; count: number }) {
  const isPicture = mime.startsWith('image/');
  const recall = () =>
    isPicture ? navigate('images', { asset: id, recall: id }) : navigate('storyboard', { recall: id });
  return (
    <div className="row">
      <Button onClick={recall}>{t`Reuse prompt`}</Button>
      <span className="t3">{isPicture ? t`Open in Images` : t`Add ${counted(count, 'shot')}`}</span>
    </div>
  );
}
