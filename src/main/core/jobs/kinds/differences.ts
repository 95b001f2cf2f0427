import type { Difference } from '../../../../shared/jobs/difference.ts';
import type { AssetRow } from '../../library/index.ts';

/** Comparisons for results of several kinds, by the facts of the verified files. */
export type FileFacts = Pick<AssetRow, 'width' | 'height' | 'seconds' | 'audio' | 'sha256' | 'output_index'>;

/** Codecs round sides to multiples, such as 1088 lines for 1080. */
const RELATIVE_TOLERANCE = 0.06;

export const isNear = (one: number, other: number): boolean => Math.abs(one - other) <= other * RELATIVE_TOLERANCE;

/** `ordered` in the form `16:9`; any other text is not compared. */
export function aspectDifferences(outputs: readonly FileFacts[], ordered: string | undefined): Difference[] {
  const [, across = '', down = ''] = /^(\d+(?:\.\d+)?):(\d+(?:\.\d+)?)$/.exec(ordered ?? '') ?? [];
  const shape = Number(across) / Number(down);
  if (ordered === undefined || !Number.isFinite(shape) || shape <= 0) return [];
  const seen = outputs.filter(({ width }) => width > 0);
  return differencesOf(seen, ({ width, height }) =>
    isNear(width / height, shape) ? undefined : { what: 'aspect', ordered, made: `${width} × ${height}` },
  );
}

/** The differences of all results, with the number of the result if there are several. */
export function differencesOf(
  outputs: readonly FileFacts[],
  compare: (facts: FileFacts) => Difference | undefined,
): Difference[] {
  return outputs.flatMap((facts) => {
    const difference = compare(facts);
    if (!difference) return [];
    return [outputs.length > 1 ? { ...difference, output: facts.output_index ?? 0 } : difference];
  });
}
