import type { LaneStatus } from '../../src/shared/events.ts';

/** What the fake studio says of its lanes. */
export const LANES: LaneStatus[] = [
  { kind: 'chat', profileId: 'studio', running: 0, atOnce: 4, waiting: 0, reservedNano: 0, unpriced: 0, paused: false },
  {
    kind: 'video',
    profileId: 'studio',
    running: 1,
    atOnce: 2,
    waiting: 3,
    reservedNano: 8_000_000_000,
    unpriced: 0,
    paused: false,
  },
  {
    kind: 'image',
    profileId: 'studio',
    running: 1,
    atOnce: 4,
    waiting: 2,
    reservedNano: 300_000_000,
    unpriced: 0,
    paused: true,
  },
];

export const NOTHING_RUNS = { revision: 1, paused: false, running: 0, waiting: 0, lanes: [] };
