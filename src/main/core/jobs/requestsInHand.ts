/** Requests that were checked, or are being checked, and are no jobs yet: what they name must not be deleted meanwhile. */
export class RequestsInHand {
  private readonly open = new Set<ReadonlySet<string>>();

  async during<T>(requests: readonly unknown[], work: () => Promise<T>): Promise<T> {
    const names = namesIn(requests);
    this.open.add(names);
    try {
      return await work();
    } finally {
      this.open.delete(names);
    }
  }

  /** The ids of assets and jobs in them, among their other texts. */
  *named(): Generator<string> {
    for (const names of this.open) yield* names;
  }
}

/** Each text that may be an id; prompts have spaces. */
function namesIn(requests: readonly unknown[]): ReadonlySet<string> {
  const names = new Set<string>();
  JSON.stringify(requests, (_key, value: unknown) => {
    if (typeof value === 'string' && value.length <= 200 && !value.includes(' ')) names.add(value);
    return value;
  });
  return names;
}
