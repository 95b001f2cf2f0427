import type { HostEvent } from '../../../../shared/contract/hostEvents.ts';

/** More than a user can ask for while a page loads; the oldest are dropped. */
const MOST_HELD = 10;

/** Events for the main window's page, held until it has painted: one that loads would miss them. */
export class PageInbox {
  private held: HostEvent[] = [];
  private isPainted = false;
  private readonly send: (event: HostEvent) => void;

  constructor(send: (event: HostEvent) => void) {
    this.send = send;
  }

  post(event: HostEvent): void {
    if (this.isPainted) return this.send(event);
    this.held = [...this.held, event].slice(-MOST_HELD);
  }

  painted(): void {
    this.isPainted = true;
    for (const event of this.held.splice(0)) this.send(event);
  }

  /** The page is gone or reloading. */
  left(): void {
    this.isPainted = false;
  }
}
