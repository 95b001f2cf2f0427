import { useLayoutEffect } from 'react';
import { create } from 'zustand';
import { isPlayMoney } from '../../../shared/gateway/profile.ts';
import { t } from '../../../shared/text/texts.ts';
import { useRoute, useStudio } from '../../app/index.ts';
import { ANY_DATE, type DateChoice } from '../../ui/index.ts';

/** Whose money is looked at: every real gateway, one gateway, or the play money of the sandbox. Unset: the side of the active profile. */
interface View {
  gateway?: string | undefined;
  /** The days whose money is looked at. */
  dates: DateChoice;
}

export const ALL_REAL = 'all';

const useView = create<View>()(() => ({ dates: { ...ANY_DATE, span: 'month' } }));

export const useDates = (): DateChoice => useView((view) => view.dates);
export const chooseDates = (dates: DateChoice): void => useView.setState({ dates });

export interface Side {
  /** What is chosen: {@link ALL_REAL} or the id of a profile. */
  gateway: string;
  play: boolean;
  profileIds?: string[];
  /** Whose prices stand beside the sums. */
  profileId?: string | undefined;
  /** The side and the whole of it that the status line shows. */
  isActive: boolean;
  options: { value: string; label: string }[];
  choose: (gateway: string) => void;
}

/**
 * A link to prices that are to be set shows their gateway, whichever was looked at last: `?profile=ID`, or the active one for
 * `?price=KIND`.
 */
export function useAskedSide(): void {
  const { params } = useRoute();
  useLayoutEffect(() => {
    if (params.has('price') || params.has('profile')) useView.setState({ gateway: params.get('profile') ?? undefined });
  }, [params]);
}

export function useSide(): Side {
  const profiles = useStudio((state) => state.profiles);
  const activeId = useStudio((state) => state.activeProfileId);
  const chosen = useView((view) => view.gateway);
  const real = profiles.filter(({ id }) => !isPlayMoney(id));
  const toys = profiles.filter(({ id }) => isPlayMoney(id));
  const own = activeId !== undefined && isPlayMoney(activeId) ? activeId : ALL_REAL;
  const wanted = chosen ?? own;
  const gateway = wanted === ALL_REAL || profiles.some(({ id }) => id === wanted) ? wanted : own;
  const play = isPlayMoney(gateway);
  const one = gateway !== ALL_REAL && !play;
  const options = [
    { value: ALL_REAL, label: t`All gateways` },
    ...real.map(({ id, name }) => ({ value: id, label: name })),
    ...toys.map(({ id, name }) => ({ value: id, label: t`${name}, test money` })),
  ];
  return {
    gateway,
    play,
    ...(one ? { profileIds: [gateway] } : {}),
    profileId: gateway === ALL_REAL ? (real.find(({ id }) => id === activeId) ?? real[0])?.id : gateway,
    isActive: gateway === own,
    options: real.length === 0 ? options.slice(1) : options,
    choose: (next) => useView.setState({ gateway: next }),
  };
}
