import { performance } from 'node:perf_hooks';
import { run as batches } from './batches.ts';
import { run as chains } from './chains.ts';
import { run as changes } from './changes.ts';
import { run as claimers } from './claimers.ts';
import { run as disk } from './disk.ts';
import { run as kills } from './kills.ts';
import { run as migrations } from './migrations.ts';
import { run as model } from './model.ts';
import { type Part, readOptions } from './options.ts';
import { run as races } from './races.ts';
import { run as order } from './sendOrder.ts';
import { run as webhooks } from './webhooks.ts';

/**
 * `npm run torture [-- PART …] [--seed N] [--kills N] [--seeds N] [--short]`: proves the first two promises by force. Each part prints
 * its results, and the run ends with code 1 if a claim is violated.
 */
const PARTS: Record<string, Part> = {
  claimers,
  kills,
  chains,
  batches,
  changes,
  migrations,
  disk,
  order,
  model,
  races,
  webhooks,
};

const read = readOptions(process.argv.slice(2), Object.keys(PARTS));
if (!read.ok) {
  console.error(`torture: ${read.message}`);
  process.exit(2);
}
for (const [name, part] of Object.entries(PARTS)) {
  if (read.parts.length > 0 && !read.parts.includes(name)) continue;
  const start = performance.now();
  try {
    const lines = await part(read.options);
    console.log(`\n${name} (${((performance.now() - start) / 1000).toFixed(0)} s)`);
    for (const line of lines) console.log(`  ${line}`);
  } catch (error) {
    console.error(`\n${name}: VIOLATED\n${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    process.exitCode = 1;
  }
}
process.exit();
