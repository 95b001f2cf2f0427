import { useEffect } from 'react';
import { create } from 'zustand';
import type { KeyActionId } from './keys/actions.ts';

/** What the palette can run besides pages, jobs and assets. */
export interface Command {
  id: string;
  /** "Pause the queue". */
  label: string;
  group?: string;
  /** It sends what is billed: its price, or that it is not known. `Enter` alone never runs it; the chord that spends does. */
  price?: string;
  /** Its price is not known: {@link price} says so. */
  isUnpriced?: boolean;
  /** Why it cannot be run now. */
  off?: string | undefined;
  /** Its key, printed at the right end. */
  action?: KeyActionId;
  /** Other words it is found by. */
  keywords?: string[];
  run: () => void;
}

interface CommandState {
  byOwner: ReadonlyMap<string, readonly Command[]>;
}

export const useCommandList = create<CommandState>()(() => ({ byOwner: new Map() }));

/** Offers commands in the palette while the component is there. Memoise `commands`, or they are offered anew at each render. */
export function useCommands(owner: string, commands: readonly Command[]): void {
  useEffect(() => {
    useCommandList.setState(({ byOwner }) => ({ byOwner: new Map(byOwner).set(owner, commands) }));
    return () =>
      useCommandList.setState(({ byOwner }) => {
        const next = new Map(byOwner);
        next.delete(owner);
        return { byOwner: next };
      });
  }, [owner, commands]);
}
