import { useCall } from '../app/index.ts';

/** Why nothing can be ordered for the night; undefined where one is planned or open. */
export function useNightOff(): string | undefined {
  const night = useCall('night.get', {}, { on: ['night.changed'] });
  return night.data?.current ? undefined : 'No night is planned; plan one in the queue.';
}
