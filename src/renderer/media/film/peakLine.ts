/** Lowers peaks above a ceiling without a click: a gain curve with nodes between blocks of equal length. */

/** The largest change of gain per node: down before a peak, up after it. */
export interface PeakSlopes {
  down: number;
  up: number;
}

/**
 * `peaks` has the highest true peak of each block. The curve is linear between nodes, and both ends of a block are low enough for its peak,
 * so nothing exceeds the ceiling. Has one node more than blocks; 1 is unchanged.
 */
export function peakLine(peaks: ArrayLike<number>, ceiling: number, { down, up }: PeakSlopes): Float32Array {
  const needed = (block: number): number => {
    const peak = peaks[block] ?? 0;
    return peak > ceiling ? ceiling / peak : 1;
  };
  const line = Float32Array.from({ length: peaks.length + 1 }, (_, node) => Math.min(needed(node - 1), needed(node)));
  for (let node = 1; node < line.length; node += 1) {
    line[node] = Math.min(line[node] ?? 1, (line[node - 1] ?? 1) + up);
  }
  for (let node = line.length - 2; node >= 0; node -= 1) {
    line[node] = Math.min(line[node] ?? 1, (line[node + 1] ?? 1) + down);
  }
  return line;
}
