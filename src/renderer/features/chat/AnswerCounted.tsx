import { t } from '../../../shared/texts.ts';
import { useActiveProfile } from '../../app/index.ts';
import { formatCount } from '../../ui/index.ts';

/** Up to how long an answer the price beside it counts: a service is not told to stop there, and a longer one costs more. */
export function AnswerCounted() {
  const most = useActiveProfile()?.limits.outputTokens;
  if (most === undefined) return null;
  return (
    <span
      className="t3 nums"
      title={t`The price counts an answer of up to ${formatCount(most)} tokens, thinking included: the profile's Output. A longer one costs more.`}
    >
      {t`up to ${formatCount(most)} out`}
    </span>
  );
}
