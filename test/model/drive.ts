import type { CallInput, CallName, CallOutput } from '../../src/shared/contract/contract.ts';

/** A studio driven by its calls; a command's changes must be announced when `does` returns. */
export interface Drive {
  ask<Name extends CallName>(name: Name, input: CallInput<Name>): Promise<CallOutput<Name>>;
  does<Name extends CallName>(name: Name, input: CallInput<Name>): Promise<CallOutput<Name>>;
}
