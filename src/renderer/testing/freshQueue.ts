import { useQueueView } from '../features/queue/state.ts';

/** The view of the queue as it is at the start. */
export const freshQueue = (): void => useQueueView.setState(useQueueView.getInitialState(), true);
