import type { PowerSource } from '../../../shared/jobs/night.ts';
import type { Power } from '../ports.ts';

/** What the machine runs on; `unknown` in a host that cannot tell, so that no rule acts on a guess. */
export const powerSourceOf = (power: Pick<Power, 'source'> | undefined): PowerSource => power?.source?.() ?? 'unknown';
