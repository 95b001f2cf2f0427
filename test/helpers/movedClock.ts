import { once } from 'node:events';
import net from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright';
import { root } from './host.ts';
import { tempDir } from './testPorts.ts';

/** The clock of a program in its own process, moved by a test; see `movedClockHost.ts`. */
export class MovedClock {
  private readonly socket = join(tempDir('clock'), 'clock.sock');
  private aheadMs: number;

  /** `now`: the time on the program's clock at its start. */
  constructor(now: number) {
    this.aheadMs = now - Date.now();
  }

  /** The environment to start the program with. */
  get env(): Record<string, string> {
    const loaded = pathToFileURL(join(root, 'test', 'helpers', 'movedClockHost.ts')).href;
    return {
      NODE_OPTIONS: `--import ${loaded}`,
      TEST_CLOCK_AHEAD_MS: String(this.aheadMs),
      TEST_CLOCK_SOCKET: this.socket,
    };
  }

  now(): number {
    return Date.now() + this.aheadMs;
  }

  /** Gives the page the program's clock from its next load on. */
  async showTo(page: Page): Promise<void> {
    await page.addInitScript(moveDate, this.aheadMs);
  }

  /** The machine sleeps until then: the clock advances while timers stand still. */
  async sleepUntil(time: number, page: Page): Promise<void> {
    await this.move(Math.max(0, time - this.now()));
    await page.evaluate(`globalThis.aheadMs = ${this.aheadMs}`);
  }

  /** Sets the program's clock back; pages keep the machine's. */
  setBack(ms: number): Promise<void> {
    return this.move(-ms);
  }

  private async move(ms: number): Promise<void> {
    const socket = net.connect(this.socket);
    await once(socket, 'connect');
    socket.write(String(ms));
    await once(socket, 'data');
    socket.destroy();
    this.aheadMs += ms;
  }
}

/** Runs in the page, before its own scripts. */
function moveDate(ahead: number): void {
  const page = globalThis as typeof globalThis & { aheadMs: number };
  page.aheadMs = ahead;
  const MachineDate = Date;
  const machineNow = MachineDate.now.bind(MachineDate);
  MachineDate.now = () => machineNow() + page.aheadMs;
  page.Date = new Proxy(MachineDate, {
    construct: (target, given, as) => Reflect.construct(target, given.length === 0 ? [target.now()] : given, as),
  });
}
