/** Names the work of long turns of an event loop, from the samples of a profile. */

/** An inspector profile: https://chromedevtools.github.io/devtools-protocol/v8/Profiler/#type-Profile */
export interface Profile {
  nodes: { id: number; callFrame: { functionName: string; url: string; lineNumber: number }; children?: number[] }[];
  /** In microseconds, of the clock of `process.hrtime`. */
  startTime: number;
  samples: number[];
  timeDeltas: number[];
}

type Frame = Profile['nodes'][number]['callFrame'];

export interface LongTurn {
  /** Milliseconds by wall clock; `busy` on a processor. */
  ms: number;
  busy: number;
  /** The call path through our functions that took most of the time, with each share. */
  path: string;
  /** Functions of any program in which the time was spent, the most first. */
  self: string;
}

interface Turn {
  from: number;
  to: number;
  busy: number;
}

/** A function belongs to the path from this share of a turn. */
const PART = 0.3;
const MOST_NAMES = 9;
const MOST_SELF = 5;
const CALLERS = 4;

export function namedTurns(profile: Profile, turns: readonly Turn[]): LongTurn[] {
  const parents = new Map<number, number>();
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
  for (const { id, children = [] } of profile.nodes) for (const child of children) parents.set(child, id);
  const stackOf = (leaf: number): number[] => {
    const stack: number[] = [];
    for (let id: number | undefined = leaf; id !== undefined; id = parents.get(id)) stack.unshift(id);
    return stack;
  };
  const frame = (id: number) => nodes.get(id)?.callFrame ?? { functionName: '?', url: '', lineNumber: 0 };
  return turns.map(({ from, to, busy }) => {
    const within = samplesIn(profile, from, to);
    const inclusive = new Map<number, number>();
    const self = new Map<string, number>();
    for (const leaf of within) {
      for (const id of stackOf(leaf)) add(inclusive, id);
      add(self, selfName(stackOf(leaf).map(frame)));
    }
    const share = (count: number) => `${Math.round((100 * count) / Math.max(1, within.length))}%`;
    const path = [...inclusive]
      .filter(([id, count]) => count >= within.length * PART && isOurs(frame(id).url))
      .map(([id, count]) => `${frame(id).functionName || `:${frame(id).lineNumber + 1}`} ${share(count)}`);
    const top = [...self].sort((a, b) => b[1] - a[1]).slice(0, MOST_SELF);
    return {
      ms: (to - from) / 1_000,
      busy,
      path: path.slice(-MOST_NAMES).join(' > '),
      self: top.map(([name, count]) => `${name} ${share(count)}`).join(', '),
    };
  });
}

const MOST_COSTLY = 25;

/** Our functions by their total time in milliseconds, the most first. */
export function costliest({ nodes, samples, timeDeltas }: Profile): { name: string; ms: number }[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)));
  const spent = new Map<string, number>();
  for (const [index, leaf] of samples.entries()) {
    const names = new Set<string>();
    for (let id: number | undefined = leaf; id !== undefined; id = parents.get(id)) {
      const { functionName = '', url = '', lineNumber = 0 } = byId.get(id)?.callFrame ?? {};
      if (isOurs(url)) names.add(`${functionName || `:${lineNumber + 1}`} ${url.split('/').at(-1)}`);
      if (functionName === '(garbage collector)') names.add(functionName);
    }
    for (const name of names) spent.set(name, (spent.get(name) ?? 0) + (timeDeltas[index] ?? 0) / 1_000);
  }
  return [...spent]
    .map(([name, ms]) => ({ name, ms }))
    .sort((a, b) => b.ms - a.ms)
    .slice(0, MOST_COSTLY);
}

/** Native frames, such as SQLite's, get the names of our functions that called them. */
function selfName(stack: readonly Frame[]): string {
  const { functionName = '', url = '', lineNumber = 0 } = stack.at(-1) ?? {};
  const callers = stack
    .filter((each) => isOurs(each.url))
    .map((each) => each.functionName)
    .filter((name) => name !== '')
    .slice(-CALLERS);
  const own = `${functionName || `:${lineNumber + 1}`}${url === '' ? '' : ` ${url.split('/').at(-1)}`}`;
  return [own, ...callers.reverse()].join(' < ');
}

const isOurs = (url: string): boolean => url.startsWith('file:') && !url.includes('node_modules');

function samplesIn({ startTime, samples, timeDeltas }: Profile, from: number, to: number): number[] {
  const within: number[] = [];
  let at = startTime;
  for (const [index, id] of samples.entries()) {
    at += timeDeltas[index] ?? 0;
    if (at > to) break;
    if (at >= from) within.push(id);
  }
  return within;
}

const add = <Key>(counts: Map<Key, number>, key: Key): void => void counts.set(key, (counts.get(key) ?? 0) + 1);
