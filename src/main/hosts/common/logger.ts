import { closeSync, fstatSync, mkdirSync, openSync, readSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import pino from 'pino';
import { shownJson } from '../../../shared/text/safeText.ts';
import type { Logger } from '../../core/ports.ts';
import { createScrubber } from '../../core/secrets/index.ts';
import { problemOfFile, problemOfFolder } from '../../core/store/index.ts';

/** Size at which the log file is rotated; one older file is kept. */
const FULL_AT_BYTES = 5_000_000;

/**
 * Logs to `<dataDir>/logs/dailies.log`, warnings and errors also to stderr. Secrets are removed, invisible and bidirectional characters are
 * escaped; a full disk or a closed terminal never affects the studio.
 */
export function createLogger(dataDir: string): Logger {
  const scrubber = createScrubber();
  const file = rotatingFile(join(dataDir, 'logs'));
  const through = (write: (line: string) => void) =>
    new Writable({
      decodeStrings: false,
      write(line, _encoding, done) {
        write(shownJson(scrubber.scrub(String(line))));
        done();
      },
    });
  const log = pino(
    { base: undefined, timestamp: pino.stdTimeFunctions.isoTime },
    pino.multistream([
      { level: 'info', stream: through(file) },
      { level: 'warn', stream: through((line) => process.stderr.write(line)) },
    ]),
  );
  return {
    info: (fields, message) => log.info(fields, message),
    warn: (fields, message) => log.warn(fields, message),
    error: (fields, message) => log.error(fields, message),
    hide: scrubber.hide,
    tail: (lines) => lastLines(join(dataDir, 'logs', 'dailies.log'), lines),
  };
}

/** The part of the file that is read. */
const TAIL_BYTES = 128 * 1024;

function lastLines(path: string, count: number): string[] {
  try {
    const handle = openSync(path, 'r');
    try {
      const { size } = fstatSync(handle);
      const bytes = Buffer.alloc(Math.min(size, TAIL_BYTES));
      const read = readSync(handle, bytes, 0, bytes.length, size - bytes.length);
      const lines = bytes.toString('utf8', 0, read).trimEnd().split('\n');
      // The first line may be incomplete.
      return lines.slice(size > TAIL_BYTES ? 1 : 0).slice(-count);
    } finally {
      closeSync(handle);
    }
  } catch {
    return [];
  }
}

function rotatingFile(folder: string): (line: string) => void {
  const path = join(folder, 'dailies.log');
  // Opening a named pipe would block until it has a reader.
  const fault = problemOfFolder(folder) ?? problemOfFile(path);
  if (fault !== undefined) throw new Error(`${fault}; the log cannot be written`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const open = () => {
    const destination = pino.destination({ dest: path, sync: true, mode: 0o600, mkdir: true });
    destination.on('error', () => {});
    return destination;
  };
  let size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  let stream: ReturnType<typeof open> | undefined = open();
  const begin = () => {
    stream?.end();
    stream = undefined;
    try {
      renameSync(path, `${path}.1`);
    } catch {
      // Removed, or held by another program: the log goes on in the same file.
    }
    stream = open();
    size = 0;
  };
  return (line) => {
    try {
      if (size > FULL_AT_BYTES) begin();
    } catch {
      // Cannot be opened now: the next line tries again.
    }
    size += Buffer.byteLength(line);
    stream?.write(line);
  };
}
