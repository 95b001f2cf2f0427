import { create } from 'zustand';
import { isPlayMoney, originOf } from '../../../shared/gateway/profile.ts';
import type { ShownPrice } from '../../../shared/money/ledger.ts';
import { saveSettings, useStudio } from './studio.ts';

/** A first paid press at a gateway that takes real money, which waits for the user's answer. */
interface Asked {
  profileIds: readonly string[];
  shown: ShownPrice | undefined;
  answer: (isAgreed: boolean) => void;
}

export const useAskedMoney = create<{ asked: Asked | undefined; isShown: boolean }>()(() => ({
  asked: undefined,
  isShown: false,
}));

/** Of these gateways, those at which real money was never agreed to: an address of another origin is another gateway. */
function unagreed(profileIds: readonly string[]): string[] {
  const { profiles, settings } = useStudio.getState();
  return profileIds.filter((id) => {
    const profile = profiles.find((one) => one.id === id);
    return profile && !isPlayMoney(id) && settings?.realMoney?.[id] !== originOf(profile.baseUrl);
  });
}

/** Whether these gateways may be paid: the first time the user is asked, with the price. Without a dialog to ask in, they may not. */
export function mayPay(profileIds: readonly string[], shown: ShownPrice | undefined): Promise<boolean> {
  const missing = unagreed(profileIds);
  if (missing.length === 0) return Promise.resolve(true);
  const { asked, isShown } = useAskedMoney.getState();
  if (!isShown) return Promise.resolve(false);
  asked?.answer(false);
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const answer = (isAgreed: boolean) => {
    useAskedMoney.setState({ asked: undefined });
    resolve(isAgreed);
  };
  useAskedMoney.setState({ asked: { profileIds: missing, shown, answer } });
  return promise;
}

/** Remembers that these gateways may be paid, and lets the press that waits go on. */
export async function agreeToPay({ profileIds, answer }: Asked): Promise<void> {
  const { profiles, settings } = useStudio.getState();
  const origins = profiles
    .filter(({ id }) => profileIds.includes(id))
    .map(({ id, baseUrl }) => [id, originOf(baseUrl) ?? '']);
  const saved = await saveSettings({ realMoney: { ...settings?.realMoney, ...Object.fromEntries(origins) } });
  answer(saved.ok);
}
