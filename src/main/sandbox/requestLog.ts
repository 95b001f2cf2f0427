/** One request as received. `status` is null while it is being answered and 0 if a fault dropped the connection. */
export interface RequestEntry {
  at: string;
  method: string;
  path: string;
  headers: Record<string, string>;
  body: unknown;
  status: number | null;
}

const KEEP = 20_000;
/** Runs of base64 from this length on are shortened; a prompt contains spaces, so it stays whole. */
const BASE64_RUN = /^(data:[^,]{0,200},)?[A-Za-z0-9+/=_-]{400,}$/;

export class RequestLog {
  #entries: RequestEntry[] = [];

  add(entry: Omit<RequestEntry, 'status'>): RequestEntry {
    const kept: RequestEntry = { ...entry, body: shorten(entry.body), status: null };
    this.#entries.push(kept);
    if (this.#entries.length > KEEP) this.#entries.shift();
    return kept;
  }

  list(): RequestEntry[] {
    return [...this.#entries];
  }
}

function shorten(value: unknown): unknown {
  if (typeof value === 'string') {
    return value.length > 400 && BASE64_RUN.test(value) ? `${value.slice(0, 60)}…(${value.length} characters)` : value;
  }
  if (Array.isArray(value)) return value.map(shorten);
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, shorten(part)]));
  }
  return value;
}
