import type { CallInput, CallName, CallOutput } from '../../src/shared/contract/contract.ts';

/** A studio that is driven by its calls; what a command changes has to be announced by the time that `does` returns. */
export interface Drive {
  ask<Name extends CallName>(name: Name, input: CallInput<Name>): Promise<CallOutput<Name>>;
  does<Name extends CallName>(name: Name, input: CallInput<Name>): Promise<CallOutput<Name>>;
}
