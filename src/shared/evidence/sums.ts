import type { EvidenceJob, EvidenceSums } from './document.ts';
import { agrees, apartNano } from './figures.ts';

/** The sums of these jobs' lines. */
export function sumsOf(jobs: readonly Pick<EvidenceJob, 'figures'>[]): EvidenceSums {
  const sums: EvidenceSums = {
    orderedNano: 0,
    unpriced: 0,
    dueNano: 0,
    statedNano: null,
    stated: 0,
    billedNano: null,
    askedBackNano: 0,
    made: 0,
    refused: 0,
    differ: 0,
  };
  for (const { figures } of jobs) {
    const { ordered, due, stated, billedNano, outcome } = figures;
    if (ordered) sums.orderedNano += ordered.nano;
    else sums.unpriced += 1;
    sums.dueNano += due?.nano ?? 0;
    if (stated?.nano !== undefined) {
      sums.statedNano = (sums.statedNano ?? 0) + stated.nano;
      sums.stated += 1;
    }
    if (billedNano !== undefined) sums.billedNano = (sums.billedNano ?? 0) + billedNano;
    sums.askedBackNano += apartNano(figures);
    if (outcome === 'made') sums.made += 1;
    if (outcome === 'refused') sums.refused += 1;
    if (!agrees(figures)) sums.differ += 1;
  }
  return sums;
}
