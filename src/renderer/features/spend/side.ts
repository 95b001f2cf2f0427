import { useLayoutEffect } from 'react';
import { create } from 'zustand';
import { isPlayMoney } from '../../../shared/gateway/profile.ts';
import { t } from '../../../shared/text/texts.ts';
import { useRoute, useStudio } from '../../app/index.ts';
import { ANY_DATE, type DateChoice } from '../../ui/index.ts';

/** The money shown: all real gateways, one gateway, or the sandbox's test money. Unset: the side of the active profile. */
interface View {
  gateway?: string | undefined;
  dates: DateChoice;
}

export const ALL_REAL = 'all';

const useView = create<View>()(() => ({ dates: { ...ANY_DATE, span: 'month' } }));

export const useDates = (): DateChoice => useView((view) => view.dates);
export const chooseDates = (dates: DateChoice): void => useView.setState({ dates });

export interface Side {
  /** The choice: {@link ALL_REAL} or the id of a profile. */
  gateway: string;
  play: boolean;
  profileIds?: string[];
  /** The profile whose prices are beside the totals. */
  profileId?: string | undefined;
  /** Whether this is the side shown in the status line, with all its gateways. */
  isActive: boolean;
  options: { value: string; label: string }[];
  choose: (gateway: string) => void;
}

/** A link to prices shows their gateway, whichever was shown last: `?profile=ID`, or the active one for `?price=KIND`. */
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
