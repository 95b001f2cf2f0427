import { useState } from 'react';
import type { Result } from '../../../../shared/contract/result.ts';
import type { PriceMismatch } from '../../../../shared/money/ledger.ts';
import { formatNano } from '../../../../shared/money/money.ts';
import { counted, t } from '../../../../shared/text/texts.ts';
import { cacheJobs, useAction } from '../../../app/index.ts';
import { call } from '../../../client/index.ts';
import { PriceLine, type SendFailure, SpendDialog, sendOnce } from '../../../spending/index.ts';
import { Refusal } from '../../../ui/index.ts';
import { Way } from '../DoubtCase.tsx';

type DecideAs = 'adopt' | 'dispute' | 'once';

export const nameOf = ({ kind, model }: PriceMismatch): string => (model === '*' ? `${kind}s` : model);

/** The effect and the wording of an action that releases waiting jobs. */
function releaseOf(as: 'adopt' | 'once', { statedNano, keeps }: PriceMismatch) {
  if (as === 'once')
    return {
      label: t`Continue once`,
      words: t`Only for jobs waiting now.`,
    };
  const words = keeps
    ? t`Keeps the price: a cached prompt may cost less. Waiting jobs continue.`
    : t`Applies from now on, also to waiting jobs.`;
  return { label: t`Adopt ${formatNano(statedNano)}`, words };
}

interface PriceDecisionsProps {
  mismatch: PriceMismatch;
  onChosen: () => void;
}

/** Adopt, dispute or continue once: each with its cost. None changes an existing entry. */
export function PriceDecisions({ mismatch, onChosen }: PriceDecisionsProps) {
  const { refusal, isBusy, run } = useAction();
  const [offered, setOffered] = useState<'adopt' | 'once'>();
  const { state, statedNano, expectedNano, waiting, adopts, keeps } = mismatch;
  const chosen = async (answer: Promise<Result<unknown>>): Promise<SendFailure> => {
    const result = await answer;
    if (result.ok) onChosen();
    return result.ok ? undefined : result.error;
  };
  const way = (as: DecideAs) => ({
    busy: isBusy,
    // Adopting and continuing once release waiting jobs, which spends, and a price must not be set by accident: both are confirmed first.
    onChoose: () => (as === 'dispute' ? void chosen(run(resolve(mismatch, as))) : setOffered(as)),
  });
  const [adopt, once] = [releaseOf('adopt', mismatch), releaseOf('once', mismatch)];
  const ours = formatNano(expectedNano);
  const costs = (words: string) => <span className="t3 nums">{words}</span>;
  const free = costs(t`Free`);
  const cost =
    waiting.count === 0 ? free : costs(t`${counted(waiting.count, 'job')}, at most ${formatNano(waiting.thenNano)}`);
  return (
    <>
      <div className="ways">
        {(adopts || keeps) && (
          <Way {...way('adopt')} title={adopt.label} cost={cost}>
            {adopt.words}
          </Way>
        )}
        {state !== 'disputed' && (
          <Way {...way('dispute')} title={t`Dispute, keep ${ours}`} cost={free}>
            {statedNano > expectedNano
              ? t`${formatNano(statedNano - expectedNano)} stays unconfirmed until the bill. Jobs at this price stay paused.`
              : t`Keeps our price until the bill. Jobs at this price stay paused.`}
          </Way>
        )}
        {adopts && (
          <Way {...way('once')} title={once.label} cost={cost}>
            {once.words}
          </Way>
        )}
      </div>
      {offered && (
        <Release
          as={offered}
          mismatch={mismatch}
          onSend={() => chosen(resolve(mismatch, offered))}
          onClose={() => setOffered(undefined)}
        />
      )}
      <Refusal text={refusal} />
    </>
  );
}

async function resolve({ id, jobId, profileId, waiting }: PriceMismatch, as: DecideAs): Promise<Result<unknown>> {
  const shown = { estimateNano: waiting.thenNano, lowNano: waiting.thenNano, unpriced: 0 };
  const input = { id, as, ...(as === 'dispute' ? {} : { shown }) };
  const answer = await sendOnce('prices.resolveMismatch', input, { payers: [profileId] });
  const job = answer.ok ? await call('jobs.get', { id: jobId }) : undefined;
  if (job?.ok) cacheJobs([job.data]);
  return answer;
}

interface ReleaseProps {
  as: 'adopt' | 'once';
  mismatch: PriceMismatch;
  onSend: () => Promise<SendFailure>;
  onClose: () => void;
}

/** Shows which jobs would be released, and at what price, before they are sent. */
function Release({ as, mismatch, onSend, onClose }: ReleaseProps) {
  const { count, thenNano } = mismatch.waiting;
  const { label, words } = releaseOf(as, mismatch);
  const price = (
    <PriceLine
      what={count === 0 ? t`No jobs waiting` : t`${counted(count, 'job')}, at most`}
      price={count === 0 ? undefined : { estimateNano: thenNano, lowNano: thenNano, unpriced: 0 }}
      none={t`Free`}
      profileId={mismatch.profileId}
    />
  );
  return (
    <SpendDialog label={label} price={price} off={undefined} onSend={onSend} onClose={onClose}>
      {words}
    </SpendDialog>
  );
}
