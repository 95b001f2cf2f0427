import { originOf, type ProfileModel, type ProfileView } from '../../../../shared/gateway/profile.ts';
import { pricingOf } from '../../../../shared/kinds/index.ts';
import { openInterpretations, type Price, priceFor } from '../../../../shared/money/price.ts';
import { saveSettings, useStudio } from '../../../app/index.ts';
import { call } from '../../../client/index.ts';

/** A first clip, the one that prices are compared by. */
export const CLIP = { seconds: 4, videos: 1 };

/** What a gateway reported after its key was accepted. */
export interface Facts {
  models: readonly Pick<ProfileModel, 'id' | 'kind'>[];
  prices: readonly Price[];
  balanceNano: number | null;
}

export async function readFacts(profileId: string): Promise<Facts> {
  const [read, balance, prices] = await Promise.all([
    call('models.read', { profileId }),
    call('profiles.balance', { id: profileId }),
    call('prices.list', { profileId }),
  ]);
  // Without a list of its own, a gateway has the models of its profile.
  const models = read.ok ? read : await call('models.list', { profileId });
  return {
    models: models.ok ? models.data.models : [],
    prices: prices.ok ? prices.data.prices : [],
    balanceNano: balance.ok ? balance.data.balanceNano : null,
  };
}

/** Models by kind: `2 Video, 3 Image, 4 Text`. */
export function kindWords(models: Facts['models']): string {
  const groups = Map.groupBy(models, ({ kind }) => pricingOf(kind).title);
  return [...groups].map(([kind, some]) => `${some.length} ${kind}`).join(', ');
}

/** How many models have a price, and how many of those prices have no unit. */
export function pricedCounts({ models, prices }: Pick<Facts, 'models' | 'prices'>) {
  const known = models.flatMap(({ kind, id }) => priceFor(prices, kind, id) ?? []);
  return { priced: known.length, withoutUnit: known.filter((price) => openInterpretations(price).length > 1).length };
}

type Checked = Pick<ProfileView, 'id' | 'baseUrl'>;

/** Remembers when all six checks of a gateway last passed; at another address it counts as another gateway. */
export async function rememberCheck({ id, baseUrl }: Checked): Promise<void> {
  const checked = {
    ...useStudio.getState().settings?.checked,
    [id]: { origin: originOf(baseUrl) ?? '', at: Date.now() },
  };
  await saveSettings({ checked });
}

export function useCheckedAt({ id, baseUrl }: Checked): number | undefined {
  const last = useStudio(({ settings }) => settings?.checked?.[id]);
  return last?.origin === originOf(baseUrl) ? last?.at : undefined;
}
