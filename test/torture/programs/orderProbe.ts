import { appendFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import net from 'node:net';

/**
 * Preloaded into the studio on machines without strace: logs, in order, the claims made durable by a COMMIT (which waits for the disk)
 * and the keys of requests written to sockets.
 */
const log = process.env.ORDER_PROBE_LOG ?? '';
const note = (line: string): void => appendFileSync(log, `${line}\n`);

type Transaction = ((...params: unknown[]) => unknown) &
  Record<'default' | 'deferred' | 'immediate' | 'exclusive', unknown>;
interface Connection {
  name: string;
  inTransaction: boolean;
  prepare(sql: string): { all(): { key: string }[] };
  transaction(work: () => unknown): Transaction;
}
const { prototype } = createRequire(import.meta.url)('better-sqlite3') as { prototype: Connection };
const { transaction } = prototype;

prototype.transaction = function (this: Connection, work) {
  const { immediate } = transaction.call(this, work) as { immediate: (...params: unknown[]) => unknown };
  const told = (...params: unknown[]): unknown => {
    const value = immediate(...params);
    if (this.inTransaction || !this.name.endsWith('dailies.db')) return value;
    note('commit');
    const claimed = this.prepare("SELECT idempotency_key AS key FROM jobs WHERE state = 'sending'");
    for (const { key } of claimed.all()) note(`intent ${key}`);
    return value;
  };
  return Object.assign(told, { default: told, deferred: told, immediate: told, exclusive: told });
};

const write = net.Socket.prototype.write as (...args: unknown[]) => boolean;
net.Socket.prototype.write = function (this: net.Socket, ...args: unknown[]) {
  const key = /idempotency-key: ([0-9a-f]{32,64})/i.exec(String(args[0]))?.[1];
  if (key) note(`sent ${key}`);
  return write.apply(this, args);
} as typeof write;
