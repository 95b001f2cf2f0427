import type { Asset } from '../../../shared/asset.ts';
import type { Job } from '../../../shared/job.ts';
import { kindOf } from '../../../shared/kinds/index.ts';
import { t } from '../../../shared/texts.ts';
import { ActionButton, navigate, useShortcut } from '../../app/index.ts';
import { Button } from '../../ui/index.ts';

/** What is made in Images or on the board is made again there. */
export const isMadeAgain = (job: Job): boolean => ['images', 'storyboard'].includes(kindOf(job).gallery ?? '');

/**
 * Back to where it was made, with its words and settings; nothing is sent. Recall makes the same again, a remix goes on from the result:
 * a picture is edited, a clip is extended.
 */
export function Remake({ asset }: { asset: Asset }) {
  const isClip = asset.mime.startsWith('video/');
  const recall = () => (isClip ? navigate('storyboard', { add: asset.id }) : navigate('images', { remake: asset.id }));
  const remix = () => (isClip ? navigate('storyboard', { remix: asset.id }) : navigate('images', { remix: asset.id }));
  const off = asset.state === 'local' ? undefined : t`The file is not on this computer.`;
  const remixHint = useShortcut('library.remix', remix, off === undefined);
  return (
    <div className="row">
      <ActionButton
        className="grow"
        action="library.recall"
        title={isClip ? t`A new shot with its prompt and settings` : t`Its prompt and settings in Images`}
        onDo={recall}
      >
        {t`Recall`}
      </ActionButton>
      <Button
        className="grow"
        kbd={remixHint}
        off={off}
        title={off ?? (isClip ? t`A new shot that extends it` : t`An edit of it in Images`)}
        onClick={remix}
      >
        {t`Remix`}
      </Button>
    </div>
  );
}
