import { useState } from 'react';
import type { PriceMismatch } from '../../../../shared/money/ledger.ts';
import { formatNano } from '../../../../shared/money/money.ts';
import { counted, t } from '../../../../shared/text/texts.ts';
import { cacheJobs } from '../../../app/index.ts';
import { call } from '../../../client/index.ts';
import { PriceLine, type SendFailure, SpendDialog, sendOnce } from '../../../spending/index.ts';
import { plural } from '../../../ui/index.ts';
import { Way } from '../DoubtCase.tsx';

type DecideAs = 'adopt' | 'dispute' | 'once';

export const nameOf = ({ kind, model }: PriceMismatch): string => (model === '*' ? `${kind}s` : model);

const KEPT = t`The price stays: a cached prompt may have cost less. Waiting jobs continue.`;

interface PriceDecisionsProps {
  mismatch: PriceMismatch;
  onChosen: () => void;
}

/** Adopt, dispute, go on once: each with what it costs. None rewrites an entry. */
export function PriceDecisions({ mismatch, onChosen }: PriceDecisionsProps) {
  const { choose, busy, error, setError } = useChoice(mismatch, onChosen);
  const [offered, setOffered] = useState<keyof typeof RELEASES>();
  const { state, statedNano, expectedNano, waiting, adopts, keeps } = mismatch;
  const now = async (as: DecideAs) => setError((await choose(as))?.message);
  const way = (as: DecideAs) => ({
    busy: busy !== undefined,
    // What lets waiting jobs go spends, and a price is not set by a slip of a finger: both are shown first.
    onChoose: () => (as === 'dispute' ? void now(as) : setOffered(as)),
  });
  const stated = formatNano(statedNano);
  const ours = formatNano(expectedNano);
  const costs = (words: string) => <span className="t3 nums">{words}</span>;
  const free = costs('free');
  const cost =
    waiting.count === 0 ? free : costs(t`${counted(waiting.count, 'job')}, at most ${formatNano(waiting.thenNano)}`);
  return (
    <>
      <div className="ways">
        {(adopts || keeps) && (
          <Way {...way('adopt')} title={t`Adopt ${stated}`} cost={cost}>
            {keeps ? KEPT : t`It is the price from now on, and what waits goes on at it. Entries made before stay.`}
          </Way>
        )}
        {state !== 'disputed' && (
          <Way {...way('dispute')} title={t`Dispute, keep ${ours}`} cost={free}>
            {statedNano > expectedNano
              ? t`${formatNano(statedNano - expectedNano)} stays unconfirmed until the bill comes. This price stays stopped.`
              : t`The price of Dailies is kept until the bill comes. This price stays stopped.`}
          </Way>
        )}
        {adopts && (
          <Way {...way('once')} title={t`Go on once`} cost={cost}>
            {t`Only what waits now, reserved at what was stated. A later request stops again where it differs.`}
          </Way>
        )}
      </div>
      {offered && (
        <Release
          as={offered}
          mismatch={mismatch}
          onSend={() => choose(offered)}
          onClose={() => setOffered(undefined)}
        />
      )}
      {error && (
        <p className="t2" role="alert">
          {error}
        </p>
      )}
    </>
  );
}

/** `choose` says what was wrong, if anything. */
function useChoice({ id, jobId, profileId, waiting }: PriceMismatch, onChosen: () => void) {
  const [busy, setBusy] = useState<DecideAs>();
  const [error, setError] = useState<string>();
  const choose = async (as: DecideAs) => {
    setBusy(as);
    const shown = { estimateNano: waiting.thenNano, lowNano: waiting.thenNano, unpriced: 0 };
    const input = { id, as, ...(as === 'dispute' ? {} : { shown }) };
    const answer = await sendOnce('prices.resolveMismatch', input, { payers: [profileId] });
    setBusy(undefined);
    if (!answer.ok) return answer.error;
    const job = await call('jobs.get', { id: jobId });
    if (job.ok) cacheJobs([job.data]);
    onChosen();
    return undefined;
  };
  return { choose, busy, error, setError };
}

const RELEASES = {
  adopt: { title: t`Adopt the price?`, label: t`Adopt it` },
  once: { title: t`Go on once?`, label: t`Go on once` },
};
/** The price stays. */
const ADOPT_KEPT = { ...RELEASES.adopt, title: t`Adopt what was stated?` };

interface ReleaseProps {
  as: keyof typeof RELEASES;
  mismatch: PriceMismatch;
  onSend: () => Promise<SendFailure>;
  onClose: () => void;
}

/** What waits for the price would be sent: how much of it, and at what price, before it is. */
function Release({ as, mismatch, onSend, onClose }: ReleaseProps) {
  const { statedNano, waiting } = mismatch;
  const many = plural(waiting.count, 'job');
  const { thenNano } = waiting;
  const price = (
    <PriceLine
      what={waiting.count === 0 ? t`Nothing waits for it` : t`${many}, at most`}
      price={waiting.count === 0 ? undefined : { estimateNano: thenNano, lowNano: thenNano, unpriced: 0 }}
      none={t`free`}
      profileId={mismatch.profileId}
    />
  );
  const goes = waiting.count === 0 ? '' : t`What waits for it goes on: ${many}.`;
  return (
    <SpendDialog
      {...(as === 'adopt' && mismatch.keeps ? ADOPT_KEPT : RELEASES[as])}
      price={price}
      off={undefined}
      onSend={onSend}
      onClose={onClose}
    >
      {as === 'adopt' && mismatch.keeps
        ? t`The price stays as it is: it allows what was stated. ${goes}`
        : as === 'adopt'
          ? t`${formatNano(statedNano)} is the price of ${nameOf(mismatch)} from now on. ${goes}`
          : t`${goes} The price book stays as it is, and a later request stops again where it differs.`}
    </SpendDialog>
  );
}
