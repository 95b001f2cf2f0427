import { navigate } from '../../../app/index.ts';
import { useNightOrder } from '../../../spending/index.ts';

/** Back to where an order for the night was made, or else to the queue. */
export function leavePlan(): void {
  const from = useNightOrder.getState().order?.from;
  if (from === undefined) navigate('queue');
  else window.location.hash = from;
}
