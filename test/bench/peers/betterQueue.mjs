/** `node betterQueue.mjs DIR JOBS BATCH`: jobs a second through better-queue on better-queue-sqlite, in WAL at synchronous=FULL. */
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import Queue from 'better-queue';
import SqliteStore from 'better-queue-sqlite';

const [dir, count, batch] = process.argv.slice(2);
const jobs = Number(count);
const batchSize = Number(batch);
const store = new SqliteStore({ path: path.join(dir, `better-queue-${batchSize}.db`) });
let done = 0;
let finish;
const allDone = new Promise((resolve) => {
  finish = resolve;
});
const queue = new Queue(
  (tasks, callback) => {
    done += Array.isArray(tasks) ? tasks.length : 1;
    callback(null, 'ok');
  },
  { store, batchSize, concurrent: batchSize === 1 ? 64 : 1, afterProcessDelay: 0, autoResume: false },
);
queue.on('drain', () => done >= jobs && finish());
// It sets OFF and a journal in memory itself; the comparison needs the same durability.
const durable = () =>
  new Promise((resolve, reject) =>
    store._db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL', (error) =>
      error ? reject(error) : resolve(),
    ),
  );
await new Promise((resolve) => setTimeout(resolve, 300));
await durable();
queue.pause();
await Promise.all(
  Array.from(
    { length: jobs },
    (_, id) =>
      new Promise((resolve) => queue.push({ id, model: 'language', content: 'x' }, resolve).on('queued', resolve)),
  ),
);
const start = performance.now();
queue.resume();
await allDone;
console.log(JSON.stringify({ perSecond: jobs / ((performance.now() - start) / 1000) }));
process.exit(0);
