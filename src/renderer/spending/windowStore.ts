import { keep, readKept } from '../client/index.ts';

/** The studio remembers an idempotency key for at least 30 days. */
const KEPT_MS = 28 * 86_400_000;
const MOST = 20;
/** In characters, for all entries together; an entry beyond its share is kept only until a reload. */
const MOST_STORED = 1_000_000;

/** Values by name for the life of the window, even over a reload: the newest 20, each for 28 days. */
export class WindowStore<Value extends object> {
  private readonly place: string;
  private known: Map<string, Value & { at: number }> | undefined;

  /** `place`: the name in the window's storage. */
  constructor(place: string) {
    this.place = place;
  }

  get(what: string): Value | undefined {
    const found = this.entries().get(what);
    return found && found.at > Date.now() - KEPT_MS ? found : undefined;
  }

  set(what: string, value: Value): void {
    this.entries().set(what, { ...value, at: Date.now() });
    this.store();
  }

  delete(what: string): void {
    if (this.entries().delete(what)) this.store();
  }

  private entries(): Map<string, Value & { at: number }> {
    this.known ??= new Map((readKept('sessionStorage', this.place) ?? []) as [string, Value & { at: number }][]);
    return this.known;
  }

  private store(): void {
    const newest = [...this.entries()].slice(-MOST);
    this.known = new Map(newest);
    const short = newest.filter(([what, value]) => what.length + JSON.stringify(value).length < MOST_STORED / MOST);
    // If the storage is off or full, values last only until a reload.
    keep('sessionStorage', this.place, short);
  }
}
