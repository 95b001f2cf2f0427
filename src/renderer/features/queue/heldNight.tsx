import { createContext, type ReactNode, useContext } from 'react';
import type { NightRun } from '../../../shared/night.ts';
import { useNight } from './night/useNight.ts';

const HeldContext = createContext<NightRun | undefined>(undefined);

/** Reads the night once for all jobs of a list. */
export function HeldNight({ children }: { children: ReactNode }) {
  const current = useNight().data?.current;
  return <HeldContext value={current?.held === undefined ? undefined : current}>{children}</HeldContext>;
}

/** Until when a night goes on that is open and sends nothing, since the machine runs on battery; undefined of any other one. */
export function useHeldUntil(runId: string | undefined): number | undefined {
  const night = useContext(HeldContext);
  return runId !== undefined && night?.id === runId ? night.endsAt : undefined;
}
