import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { isMainThread } from 'node:worker_threads';

/**
 * Preloaded into the studio: lets a test fill the disk as SQLite sees it. Listens on the socket DISK_PROBE. A line with a number allows the
 * database that many more pages; `room` removes the limit. Each line is answered once it is in force.
 */
interface Connection {
  name: string;
  open: boolean;
  readonly: boolean;
  pragma(text: string, options?: { simple: boolean }): unknown;
}
const { prototype } = createRequire(import.meta.url)('better-sqlite3') as { prototype: Connection };
const { pragma } = prototype;
const NO_LIMIT = 1_073_741_823;
let database: Connection | undefined;

prototype.pragma = function (this: Connection, ...args) {
  if (this.name.endsWith('dailies.db') && !this.readonly) database = this;
  return pragma.apply(this, args);
};

function limit(line: string): void {
  if (!database?.open) return;
  const pages = Number(pragma.call(database, 'page_count', { simple: true }));
  pragma.call(database, `max_page_count = ${line === 'room' ? NO_LIMIT : pages + Number(line)}`);
}

const server = createServer((socket) => {
  createInterface(socket).on('line', (line) => {
    limit(line);
    socket.write('done\n');
  });
  socket.on('error', () => undefined);
  socket.unref();
});
// NODE_OPTIONS also preloads this into the hashing threads, which have no database.
if (isMainThread) server.listen(process.env.DISK_PROBE);
server.unref();
