import { createContext, type ReactNode, useContext } from 'react';
import type { CallOutput } from '../../client/index.ts';
import { useNight } from './night/useNight.ts';

const NightContext = createContext<CallOutput<'night.get'> | undefined>(undefined);

/** Reads the overnight run once for all jobs of a list. */
export const NightOfList = ({ children }: { children: ReactNode }) => (
  <NightContext value={useNight().data}>{children}</NightContext>
);

/** The overnight run read by the surrounding list; undefined until it is loaded. */
export const useNightOfList = () => useContext(NightContext);

/** The end of an open run that is paused because the computer is on battery; undefined for any other run. */
export function useHeldUntil(runId: string | undefined): number | undefined {
  const night = useNightOfList()?.current;
  return runId !== undefined && night?.held !== undefined && night.id === runId ? night.endsAt : undefined;
}
