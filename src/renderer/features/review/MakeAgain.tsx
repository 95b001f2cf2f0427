import { useState } from 'react';
import { configOfShot, type Shot } from '../../../shared/board.ts';
import { KINDS } from '../../../shared/kinds/index.ts';
import { quantityOfClips } from '../../../shared/kinds/video.ts';
import { t } from '../../../shared/texts.ts';
import { cacheJobs, useActiveProfile } from '../../app/index.ts';
import { PriceRow, SpendDialog, usePrice } from '../../spending/index.ts';
import { Button, rich, Section } from '../../ui/index.ts';
import { takeOrder } from '../storyboard/inspector/SendBar.tsx';
import type { BoardHandle } from '../storyboard/useBoard.ts';

/** Another take of the shot, as the shot is now, at its price. */
export function MakeAgain({ board: { sync }, shot }: { board: BoardHandle; shot: Shot }) {
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
    const answer = await sync.makeTake(shot.id, takeOrder(now, night));
    if (answer.ok) cacheJobs([answer.data]);
    return answer.ok ? undefined : answer.error;
  };
  return (
    <Section title={t`Make it again`}>
      <PriceRow what={t`1 take`} now={now} kind={KINDS.video.name} />
      <Button off={now.hasFailed ? now.off : undefined} onClick={() => setOffered(true)}>
        {label}
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
    </Section>
  );
}
