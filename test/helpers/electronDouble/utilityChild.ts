import { EventEmitter } from 'node:events';
import { pathToFileURL } from 'node:url';

/** The environment of an Electron utility process: `process.parentPort`, and none of Node's own `fork` API. */
const send = process.send?.bind(process);

class ParentPort extends EventEmitter {
  private readonly waiting: object[] = [];

  constructor() {
    super();
    // Holds messages back until the first listener is added.
    this.on('newListener', (name) => {
      if (name === 'message')
        queueMicrotask(() => this.waiting.splice(0).forEach((event) => void this.emit('message', event)));
    });
  }

  come(data: unknown): void {
    const event = { data, ports: [] };
    if (this.listenerCount('message') === 0) this.waiting.push(event);
    else this.emit('message', event);
  }

  postMessage(message: unknown): void {
    send?.(structuredClone(message));
  }
}

const port = new ParentPort();
process.on('message', (data) => port.come(data));
// A utility process ends with Chromium.
const exit = process.exit.bind(process);
process.on('disconnect', () => exit(1));
Object.assign(process, { parentPort: port, send: undefined });
const [, , program = ''] = process.argv;
await import(pathToFileURL(program).href);
