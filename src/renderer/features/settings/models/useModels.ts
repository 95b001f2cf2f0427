import { useEffect, useState } from 'react';
import type { ModelEntry, ModelList } from '../../../../shared/gateway/modelCalls.ts';
import { useAction, useCall, useRoute, useStudio } from '../../../app/index.ts';
import { call } from '../../../client/index.ts';

/** The models of the profile that is looked at, and the one that is chosen. */
export function useModels() {
  const profiles = useStudio((state) => state.profiles);
  const activeId = useStudio((state) => state.activeProfileId);
  const { params } = useRoute();
  const [openId, setOpenId] = useState<string>();
  const profileId = openId ?? params.get('profile') ?? activeId;
  const profile = profiles.find(({ id }) => id === profileId);
  const asked = profile ? { profileId: profile.id } : null;
  const list = useCall('models.list', asked, { on: ['profiles.changed', 'board.changed'] });
  const prices = useCall('prices.list', asked, { on: ['profiles.changed', 'ledger.changed'] });
  const [chosenId, setChosenId] = useState(params.get('model') ?? undefined);
  const { refusal, run, isBusy: isReading } = useAction();
  // What is typed there is about the model that it was opened for, whichever is chosen by then.
  const [byHand, setByHand] = useState<{ profileId: string; model: ModelEntry }>();
  const models = list.data?.profileId === profileId ? (list.data?.models ?? []) : [];
  const read = async () => {
    if (!asked || isReading) return;
    const answer = await run(call('models.read', asked));
    if (answer.ok) list.reload();
  };
  const chosen = models.find(({ id }) => id === chosenId) ?? soonest(models);
  // Another profile has other models.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the choice belongs to the profile that is looked at.
  useEffect(() => setChosenId(params.get('model') ?? undefined), [profileId]);
  return {
    profiles,
    profile,
    list,
    models,
    prices: prices.data?.prices ?? [],
    chosen,
    choose: setChosenId,
    openProfile: setOpenId,
    read,
    isReading,
    refusal,
    byHand,
    openByHand: () => profile && chosen && setByHand({ profileId: profile.id, model: chosen }),
    closeByHand: () => setByHand(undefined),
  };
}

export type ModelsHandle = ReturnType<typeof useModels>;

/** What is looked at first: the model that ends first, with shots that hang on it. */
function soonest(models: ModelList['models']) {
  const ends = models.filter(({ endsAt }) => typeof endsAt === 'number');
  const byEnd = ends.toSorted((a, b) => Number(b.shots > 0) - Number(a.shots > 0) || (a.endsAt ?? 0) - (b.endsAt ?? 0));
  return byEnd[0] ?? models.find(({ shots }) => shots > 0) ?? models[0];
}
