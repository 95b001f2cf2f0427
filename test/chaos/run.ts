import { performance } from 'node:perf_hooks';
import { BAD_SERVICE_CASES, playBadService } from './badService.ts';
import { APIS, FAULTS, isImpossible, PHASES, readMatrix } from './matrix.ts';
import { type CellResult, runCell } from './runCell.ts';

/** `npm run chaos [-- chat | video | images | FAULT | PHASE …]`: plays the matrix and prints the results; exits with 1 if one differs. */
const wanted = process.argv.slice(2);
const known: readonly string[] = [...APIS, ...FAULTS, ...PHASES];
const unknown = wanted.filter((name) => !known.includes(name));
if (unknown.length > 0) {
  console.error(`chaos: there is no ${unknown.join(', ')}; there are ${known.join(', ')}.`);
  process.exit(2);
}
const asked = (name: string, among: readonly string[]): boolean =>
  wanted.includes(name) || !wanted.some((other) => among.includes(other));

const start = performance.now();
let played = 0;
let searched = 0;
let different = 0;

async function show(place: string, expected: string, playing: Promise<CellResult>): Promise<void> {
  const result = await playing.catch((error: unknown) => ({ happened: '', broken: [String(error)], searched: 0 }));
  const faults = [...(result.happened === expected ? [] : [`expected: ${expected}`]), ...result.broken];
  played += 1;
  searched += result.searched;
  if (faults.length > 0) different += 1;
  console.log(`  ${place}${result.happened}${faults.map((fault) => `\n${' '.repeat(25)}✗ ${fault}`).join('')}`);
}

for (const api of APIS.filter((name) => asked(name, APIS))) {
  console.log(`\n${api}\n`);
  for (const cell of readMatrix().filter((other) => other.api === api)) {
    if (!asked(cell.fault, FAULTS) || !asked(cell.phase, PHASES)) continue;
    const place = `${cell.fault.padEnd(10)}${cell.phase.padEnd(13)}`;
    if (isImpossible(cell)) console.log(`  ${place}${cell.expected}`);
    else await show(place, cell.expected, runCell(cell));
  }
}
if (wanted.length === 0) {
  console.log('\nall is well, and the key comes back in …\n');
  for (const [api, place, expected] of BAD_SERVICE_CASES)
    await show(`${api.padEnd(7)}${place.padEnd(18)}`, expected, playBadService(api, place));
}
const seconds = ((performance.now() - start) / 1000).toFixed(1);
console.log(
  `\n${played} cells played in ${seconds} s, ${different} different; the key was looked for in ${(searched / 1e6).toFixed(1)} MB of files, events and answers.`,
);
process.exit(different > 0 ? 1 : 0);
