import { isPlayMoney, originOf } from '../../../shared/gateway/profile.ts';
import type { ShownPrice } from '../../../shared/money/ledger.ts';
import { questionOf } from './question.ts';
import { saveSettings, useStudio } from './studio.ts';

/** A first payment of real money, which waits for the user's confirmation. */
export const realMoney = questionOf<{ profileIds: readonly string[]; shown: ShownPrice | undefined }, boolean>(false);

/** The gateways among these without the user's agreement to real money. Another origin is another gateway. */
function unagreed(profileIds: readonly string[]): string[] {
  const { profiles, settings } = useStudio.getState();
  return profileIds.filter((id) => {
    const profile = profiles.find((one) => one.id === id);
    return profile && !isPlayMoney(id) && settings?.realMoney?.[id] !== originOf(profile.baseUrl);
  });
}

/** Whether these gateways may be paid: the user is asked the first time, with the price. False without a dialog to ask in. */
export async function mayPay(profileIds: readonly string[], shown: ShownPrice | undefined): Promise<boolean> {
  const missing = unagreed(profileIds);
  return missing.length === 0 || realMoney.ask({ profileIds: missing, shown });
}

/** Stores that these gateways may be paid; returns whether that worked. */
export async function agreeToPay(profileIds: readonly string[]): Promise<boolean> {
  const { profiles, settings } = useStudio.getState();
  const origins = profiles
    .filter(({ id }) => profileIds.includes(id))
    .map(({ id, baseUrl }) => [id, originOf(baseUrl) ?? '']);
  const saved = await saveSettings({ realMoney: { ...settings?.realMoney, ...Object.fromEntries(origins) } });
  return saved.ok;
}
