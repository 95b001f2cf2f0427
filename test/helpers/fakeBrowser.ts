import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * A browser that has one page, writes down its command line and its process, and where it is led over the pipe, and stays until the pipe
 * is closed or it is ended. With `isRefusing` it does not let itself be led.
 */
export function fakeBrowser(folder: string, { isRefusing = false } = {}) {
  const [path, told, led] = [join(folder, 'browser'), join(folder, 'told'), join(folder, 'led')];
  const script = `#!${process.execPath}
const fs = require('node:fs');
const [input, output] = [fs.createReadStream('', { fd: 3 }), fs.createWriteStream('', { fd: 4 })];
const write = (file, text) => { fs.writeFileSync(file + '.part', text); fs.renameSync(file + '.part', file); };
const say = (message) => output.write(JSON.stringify(message) + '\\0');
const targetInfo = (type) => ({ targetInfo: { targetId: 'of ' + type, type, url: 'about:blank' } });
const answers = {
  'Target.setDiscoverTargets': ({ id }) => {
    if (${isRefusing}) return say({ id, error: { message: 'No.' } });
    for (const type of ['browser', 'page']) say({ method: 'Target.targetCreated', params: targetInfo(type) });
    say({ id, result: {} });
  },
  'Target.attachToTarget': ({ id, params }) => say({ id, result: { sessionId: 'in ' + params.targetId } }),
  'Page.navigate': ({ sessionId, params }) => sessionId === 'in of page' && write(${JSON.stringify(led)}, params.url),
};
let held = '';
input.on('data', (piece) => {
  const whole = (held + piece).split('\\0');
  held = whole.pop();
  for (const text of whole) { const message = JSON.parse(text); answers[message.method]?.(message); }
});
input.on('close', () => process.exit());
write(${JSON.stringify(told)}, [process.pid, ...process.argv.slice(2)].join('\\n'));
setInterval(() => {}, 1e6);
`;
  writeFileSync(path, script, { mode: 0o755 });
  const read = (file: string): string => {
    try {
      return readFileSync(file, 'utf8');
    } catch {
      return '';
    }
  };
  return {
    path,
    /** Empty until it has started. */
    words: () => read(told).split('\n').slice(1),
    pid: () => Number(read(told).split('\n')[0]),
    /** The address that it was led to; empty before. */
    address: () => read(led),
  };
}
