import { useEffect, useRef } from 'react';
import { t } from '../../../shared/text/texts.ts';
import { partText, startOfDay } from '../../ui/index.ts';
import { leftOf, leftWords } from '../../words/index.ts';
import { MoneyPlate } from '../MoneyPlate.tsx';
import { hashOf } from '../route.ts';
import { readMoney, useActiveProfile, useStudio } from '../state/studio.ts';
import { useBurst, useEvent, useNow } from '../state/useCall.ts';

/** Reads the day's figures again at midnight, even if nothing else happens. */
export function useMoneyOfToday(): void {
  // Money changes with every job.
  useEvent('ledger.changed', useBurst(readMoney));
  const day = startOfDay(useNow(10_000));
  const read = useRef(day);
  useEffect(() => {
    if (read.current === day) return;
    read.current = day;
    void readMoney();
  }, [day]);
}

/** The money that jobs cost now, the gateway, and the rest of today’s budget; without a budget, today’s spend. */
export function TopMoney() {
  const profile = useActiveProfile();
  const day = useStudio((state) => state.budgets.find(({ scope }) => scope === 'day'));
  const today = useStudio((state) => state.today);
  const left = day && leftOf(day);
  if (!profile) return null;
  return (
    <a className="top-money" href={hashOf('spend')}>
      <MoneyPlate />
      <span className="cut t2">{profile.name}</span>
      {left !== undefined ? (
        <b>{t`${leftWords(left)} today`}</b>
      ) : (
        today && <b>{t`${partText(today.settledNano, today.unpriced, today.settledLowNano)} today`}</b>
      )}
    </a>
  );
}
