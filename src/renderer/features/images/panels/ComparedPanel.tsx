import { useState } from 'react';
import type { Asset } from '../../../../shared/asset.ts';
import { isRequestOf, KINDS, promptOf } from '../../../../shared/kinds/index.ts';
import { escapePrompt } from '../../../../shared/promptMatrix.ts';
import { t } from '../../../../shared/texts.ts';
import { navigate, useShortcut, useWholeJob } from '../../../app/index.ts';
import { Differences } from '../../../media/compare/Compare.tsx';
import { letterOf } from '../../../media/compare/compareView.ts';
import { Button, Panel, Section, Segmented } from '../../../ui/index.ts';
import { leaveCompare } from '../compared.ts';
import { remixed } from '../model/remix.ts';
import { openPicture, recallWords } from '../useImages.ts';

/** In what the compared pictures differ, and the way on from one of them. */
export function ComparedPanel({ pictures }: { pictures: readonly Asset[] }) {
  const [chosenId, setChosenId] = useState<string>();
  const asset = pictures.find(({ id }) => id === chosenId) ?? pictures[0];
  return (
    <Panel label={t`Compared`} className="insp compared">
      <Differences pictures={pictures} />
      <div className="go-on">
        <Section title={t`Go on from`}>
          <Segmented
            aria-label={t`Go on from`}
            options={pictures.map(({ id }, index) => ({ value: id, label: letterOf(index) }))}
            value={asset?.id ?? null}
            onValue={setChosenId}
          />
          {asset && <WaysOn asset={asset} />}
        </Section>
      </div>
    </Panel>
  );
}

function WaysOn({ asset }: { asset: Asset }) {
  const job = useWholeJob(asset.jobId);
  const request = isRequestOf(KINDS.imagine, job?.request) ? job.request : undefined;
  const isEdit = isRequestOf(KINDS.edit, job?.request);
  const noWords = job ? undefined : t`This picture was brought in: it has no prompt.`;
  const noRemix = job?.requestCut
    ? t`Its prompt is being read.`
    : request
      ? undefined
      : (noWords ?? t`An edit has no flags to go on with.`);
  const recall = () => navigate('images', { remake: asset.id });
  const remix = (without: 'seed' | 'words') => {
    if (!request) return;
    const { mode = 'fast' } = request;
    const done = without === 'seed' ? t`All but the seed is recalled` : t`All but the words is recalled`;
    recallWords({ prompt: escapePrompt(remixed(promptOf(request), without)), mode }, { done });
  };
  const recallHint = useShortcut('library.recall', recall, noWords === undefined);
  const remixHint = useShortcut('library.remix', () => remix('seed'), noRemix === undefined);
  const open = () => {
    openPicture(asset.id);
    leaveCompare();
  };
  return (
    <div className="ways-list">
      <Button kbd={recallHint} off={noWords} onClick={recall}>
        {isEdit ? t`Recall the edit` : t`Recall all`}
      </Button>
      <Button kbd={remixHint} off={noRemix} onClick={() => remix('seed')}>
        {t`Remix, all but the seed`}
      </Button>
      <Button off={noRemix} onClick={() => remix('words')}>
        {t`Remix, all but the words`}
      </Button>
      <Button onClick={() => navigate('storyboard', { frame: asset.id })}>{t`Use as frame`}</Button>
      <Button onClick={open}>{t`Open this picture`}</Button>
    </div>
  );
}
