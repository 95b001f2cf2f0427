/** `node plainjobs.mjs DIR JOBS`: jobs a second through plainjobs, claimed and marked as done one by one, at synchronous=FULL. */
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import Database from 'better-sqlite3';
import { defineQueue, defineWorker } from 'plainjobs';

const [dir, count] = process.argv.slice(2);
const jobs = Number(count);
const silent = { debug() {}, info() {}, warn() {}, error() {} };
const connection = new Database(path.join(dir, 'plainjobs.db'));
const queue = defineQueue({ connection, logger: silent });
// It sets NORMAL itself; the comparison needs the same durability.
connection.pragma('synchronous = FULL');
const add = connection.transaction(() => {
  for (let n = 0; n < jobs; n++) queue.add('chat', { model: 'language', messages: [{ role: 'user', content: 'x' }] });
});
add();
let done = 0;
let finish;
const allDone = new Promise((resolve) => {
  finish = resolve;
});
const worker = defineWorker('chat', async () => 'ok', {
  queue,
  logger: silent,
  pollInterval: 0,
  onCompleted: () => {
    done += 1;
    if (done === jobs) finish();
  },
});
const start = performance.now();
void worker.start();
await allDone;
console.log(JSON.stringify({ perSecond: jobs / ((performance.now() - start) / 1000) }));
process.exit(0);
