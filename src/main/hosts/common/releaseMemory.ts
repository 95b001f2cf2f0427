import v8 from 'node:v8';
import vm from 'node:vm';

/**
 * Gives the heap's free pages back to the system. V8 keeps the room of its busiest moment as long as nothing is allocated, and has no
 * other way to be asked. It takes a tenth of a second: for a time when nobody waits.
 */
export function releaseMemory(): void {
  v8.setFlagsFromString('--expose-gc');
  const collect = vm.runInNewContext('gc') as (how: {
    type: 'major';
    execution: 'sync';
    flavor: 'last-resort';
  }) => void;
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
