import { Session } from 'node:inspector/promises';

/**
 * Measures work by counting, so that the result is the same on every machine: the executions of each branch of this project's code, and the
 * characters that built-in functions examine (a slice is no copy, so it costs nothing). Import it before the measured code: V8 counts only
 * branches compiled afterwards. Work within a regular expression match and inside packages is not counted.
 */

const session = new Session();
session.connect();
await session.post('Profiler.enable');
const { result: loaded } = await session.post('Profiler.getBestEffortCoverage');
const early = loaded.find(({ url }) => isMeasured(url));
// Code that is already compiled is not counted, and slows down all later files of a shared process.
if (early)
  throw new Error(`${early.url} was loaded before its work is counted: is this file named *.isolated.test.ts?`);
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });

function isMeasured(url: string): boolean {
  return /\/src\/(main|shared|renderer)\//.test(url) && !url.includes('.test.');
}

/** Branch executions in files of `src` since the last call. */
async function branches(): Promise<number> {
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const own = result.filter(({ url }) => isMeasured(url));
  return own
    .flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges.map(({ count }) => count)))
    .reduce((sum, count) => sum + count, 0);
}

type Method = (this: unknown, ...args: unknown[]) => unknown;
/** The number of characters that a call examined, from its receiver, arguments and result. */
type Look = (self: unknown, args: unknown[], answer: unknown) => number;

const indexOf = String.prototype.indexOf;
const whole: Look = (self) => String(self).length;
const ofAnswer: Look = (_self, _args, answer) => String(answer).length;
const ofNeedle: Look = (_self, [needle]) => String(needle).length;
/** From the start position to the match, or to the end. */
const upToFound: Look = (self, [needle, from = 0]) => {
  const text = String(self);
  const found = indexOf.call(text, String(needle), Number(from));
  return Math.max(0, (found < 0 ? text.length : found + 1) - Number(from));
};
/** Without `g` and `y` a match begins at the first character, with them where the last one ended. */
const upToMatch: Look = (self, [text], answer) => {
  const expression = self as RegExp;
  const match = answer as RegExpExecArray | null;
  if (!match) return String(text).length;
  return expression.global || expression.sticky ? match[0].length + 1 : match.index + match[0].length;
};

const all = (owner: object, look: Look, ...names: string[]) => names.map((name) => ({ owner, name, look }));
const LOOKS = [
  ...all(String.prototype, whole, 'split', 'toLowerCase', 'toUpperCase', 'normalize', 'lastIndexOf'),
  ...all(String.prototype, ofAnswer, 'repeat'),
  ...all(String.prototype, ofNeedle, 'startsWith', 'endsWith'),
  ...all(String.prototype, upToFound, 'indexOf', 'includes'),
  ...all(RegExp.prototype, upToMatch, 'exec'),
  ...all(Array.prototype, (_self, _args, answer) => (answer as unknown[]).length, 'slice', 'concat'),
  ...all(Array.prototype, ofAnswer, 'join'),
  ...all(JSON, (_self, [text]) => String(text).length, 'parse'),
];

/** The number of branches and characters that `run` takes. Calls must not overlap. */
export async function countWork(run: () => unknown): Promise<number> {
  await branches();
  return (await lookedAt(LOOKS, run)) + (await branches());
}

/**
 * How much more work an input of twice the size is: 2 if linear. V8 may lose counts of a function that it recompiles, so the minimum of
 * three is used.
 */
export async function growthOf(work: (count: number) => Promise<number>, count: number): Promise<number> {
  const ratios: number[] = [];
  for (let time = 0; time < 3; time++) ratios.push((await work(2 * count)) / (await work(count)));
  return Math.min(...ratios);
}

/** Calls that read a text. V8 keeps appended texts as pieces and joins them at the first read. */
const INTO = all(String.prototype, whole, 'startsWith', 'endsWith', 'charAt', 'charCodeAt', 'codePointAt', 'at');

/** The characters that reads copy during `run`, if every text read had just been appended to. */
export const countCopies = (run: () => unknown): Promise<number> => lookedAt(INTO, run);

async function lookedAt(looks: typeof LOOKS, run: () => unknown): Promise<number> {
  let looked = 0;
  const originals = looks.map((known) => ({ ...known, original: Reflect.get(known.owner, known.name) as Method }));
  for (const { owner, name, look, original } of originals) {
    Reflect.set(owner, name, function counting(this: unknown, ...args: unknown[]) {
      const answer = original.apply(this, args);
      looked += look(this, args, answer);
      return answer;
    });
  }
  try {
    await run();
  } finally {
    for (const { owner, name, original } of originals) Reflect.set(owner, name, original);
  }
  return looked;
}
