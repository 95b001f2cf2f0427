import { useSyncExternalStore } from 'react';
import type { SeamPlayer } from './seamPlayer.ts';

export const useSeamPlace = (player: SeamPlayer) => useSyncExternalStore(player.subscribe, player.state);
