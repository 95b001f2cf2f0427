import { t } from '../../../shared/texts.ts';
import type { useSpend } from '../../spending/index.ts';
import { ErrorBox } from '../../ui/index.ts';

interface NotSentProps {
  of: Pick<ReturnType<typeof useSpend>, 'error' | 'isUnknown' | 'dismiss'>;
}

/** Why a press sent nothing, or may have: pressed again as it is, it is one request. */
export const NotSent = ({ of: { error, isUnknown, dismiss } }: NotSentProps) =>
  error === undefined ? null : (
    <ErrorBox title={error} cures={[{ label: t`Dismiss`, onCure: dismiss }]}>
      {isUnknown
        ? t`The request may have been sent. Pressing again unchanged does not send it twice.`
        : t`Nothing was sent.`}
    </ErrorBox>
  );
