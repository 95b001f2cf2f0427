import { isPlayMoney, originOf } from '../../../shared/gateway/profile.ts';
import type { ShownPrice } from '../../../shared/money/ledger.ts';
import { questionOf } from './question.ts';
import { saveSettings, useStudio } from './studio.ts';

/** A first paid press at a gateway that takes real money, which waits for the user's answer. */
export const realMoney = questionOf<{ profileIds: readonly string[]; shown: ShownPrice | undefined }, boolean>(false);

/** Of these gateways, those at which real money was never agreed to: an address of another origin is another gateway. */
function unagreed(profileIds: readonly string[]): string[] {
  const { profiles, settings } = useStudio.getState();
  return profileIds.filter((id) => {
    const profile = profiles.find((one) => one.id === id);
    return profile && !isPlayMoney(id) && settings?.realMoney?.[id] !== originOf(profile.baseUrl);
  });
}

/** Whether these gateways may be paid: the first time the user is asked, with the price. Without a dialog to ask in, they may not. */
export async function mayPay(profileIds: readonly string[], shown: ShownPrice | undefined): Promise<boolean> {
  const missing = unagreed(profileIds);
  return missing.length === 0 || realMoney.ask({ profileIds: missing, shown });
}

/** Remembers that these gateways may be paid; answers whether it is kept. */
export async function agreeToPay(profileIds: readonly string[]): Promise<boolean> {
  const { profiles, settings } = useStudio.getState();
  const origins = profiles
    .filter(({ id }) => profileIds.includes(id))
    .map(({ id, baseUrl }) => [id, originOf(baseUrl) ?? '']);
  const saved = await saveSettings({ realMoney: { ...settings?.realMoney, ...Object.fromEntries(origins) } });
  return saved.ok;
}
