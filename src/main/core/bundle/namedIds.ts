/** Every text of a document that may be an id; whether it is one is known by whoever asks. */
export function namedInDocument(document: unknown): Set<string> {
  const names = new Set<string>();
  const open: unknown[] = [document];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next === 'string' && next.length > 0 && next.length <= 200 && !next.includes(' ')) names.add(next);
    if (typeof next === 'object' && next !== null) open.push(...Object.values(next).filter((value) => value !== null));
  }
  return names;
}
