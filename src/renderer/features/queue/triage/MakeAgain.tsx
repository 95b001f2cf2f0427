import { useState } from 'react';
import { type Board, configOfShot, type Shot } from '../../../../shared/board.ts';
import { contentOfTakes } from '../../../../shared/casting.ts';
import { KINDS } from '../../../../shared/kinds/index.ts';
import { quantityOfClips } from '../../../../shared/kinds/video.ts';
import { t } from '../../../../shared/texts.ts';
import type { TriageTake } from '../../../../shared/triage/calls.ts';
import { cacheJobs, useActiveProfile, useCall, useJob } from '../../../app/index.ts';
import { PriceRow, SpendDialog, sendOnce, usePrice } from '../../../spending/index.ts';
import { Button, PriceWords, priceText, rich } from '../../../ui/index.ts';
import { JobName } from '../takeNames.tsx';
import { brokenText } from './words.ts';

/** What is missing of a broken take, what it cost, and another one at its price. */
export function MakeAgain({ take }: { take: TriageTake }) {
  const job = useJob(take.jobId);
  const { data: board } = useCall(
    'storyboard.get',
    take.projectId === undefined ? null : { projectId: take.projectId },
    {
      on: ['board.changed'],
    },
  );
  const shot = board?.shots.find(({ takes }) => takes.includes(take.jobId));
  const { chargedNano = 0, chargedLowNano = 0, unpriced } = job?.money ?? {};
  return (
    <section className="sec" aria-label={t`What is missing`}>
      <h3>
        <JobName id={take.jobId} /> {t`is broken`}
      </h3>
      <p className="t2">
        {brokenText(take)}
        {job && !unpriced && t` It cost ${priceText(chargedNano, chargedLowNano, 'most')}.`}
      </p>
      {board && shot ? (
        <Again board={board} shot={shot} />
      ) : (
        <p className="t3">{t`It belongs to no shot of a board: make it again where it was ordered.`}</p>
      )}
    </section>
  );
}

function Again({ board: { projectId, cast }, shot }: { board: Board; shot: Shot }) {
  const [isOffered, setOffered] = useState(false);
  const config = configOfShot(shot);
  const profile = useActiveProfile();
  const isSeedSent = config.seed !== undefined && !profile?.omittedFields.includes('seed');
  const now = usePrice(
    shot.model === ''
      ? undefined
      : { kind: KINDS.video.name, model: shot.model, quantity: quantityOfClips({ config }) },
  );
  const label = t`Make take ${shot.takes.length + 1}`;
  const send = async (night: boolean) => {
    const order = { projectId, shotId: shot.id, shown: now.shown, ...(night ? { night } : {}) };
    const answer = await sendOnce('storyboard.makeTake', order, { content: contentOfTakes([shot], cast) });
    if (answer.ok) cacheJobs([answer.data.job]);
    return answer.ok ? undefined : answer.error;
  };
  return (
    <div className="row tri-again">
      <Button variant="ghost" off={now.hasFailed ? now.off : undefined} onClick={() => setOffered(true)}>
        {t`Make it again`}{' '}
        {now.price && (
          <PriceWords
            nano={now.price.estimateNano}
            lowNano={now.price.lowNano}
            as="range"
            unpriced={now.price.unpriced}
          />
        )}
      </Button>
      {isOffered && (
        <SpendDialog
          title={t`Make it again?`}
          label={label}
          off={now.off}
          price={<PriceRow what={t`1 take`} now={now} kind={KINDS.video.name} />}
          onSend={() => send(false)}
          tonight={{ what: label, shown: now.shown, onSend: () => send(true) }}
          onClose={() => setOffered(false)}
        >
          {rich`Another take of the shot, as the shot is now. This one stays as it is.${isSeedSent && t` Its seed is fixed: the same clip may come again.`}`}
        </SpendDialog>
      )}
    </div>
  );
}
