import { invalid } from '../errors.ts';

/** A prompt with its trailing option flags parsed and removed (spec 2.6, 9). */
export interface ImaginePrompt {
  words: string;
  version: string;
  quality: number;
  width: number;
  height: number;
  /** `--seed`, if given. */
  seed: number | null;
}

const QUALITIES = [0.25, 0.5, 1, 2, 4];
/** The area of a picture at `--q 1`, in pixels. */
const AREA = 1_170_000;
const WIDEST = 4;

/** Parses `--v`, `--ar`, `--q` and `--seed`; other flags are ignored. Throws a 400 that names the flag and its rule. */
export function readImaginePrompt(prompt: string): ImaginePrompt {
  const flags = new Map<string, string>();
  const words = prompt
    .replace(/(?:^|\s)(?:--|—)([a-z]+)(?:\s+((?!--|—)\S+))?/gi, (_, name: string, value: string | undefined) => {
      flags.set(name.toLowerCase(), value ?? '');
      return ' ';
    })
    .replace(/\s+/g, ' ')
    .trim();
  const quality = readQuality(flags.get('q') ?? flags.get('quality'));
  return {
    words,
    version: readVersion(flags.get('v') ?? flags.get('version')),
    quality,
    ...readSize(flags.get('ar') ?? flags.get('aspect'), quality),
    seed: readSeed(flags.get('seed')),
  };
}

function readVersion(value: string | undefined): string {
  if (value === undefined) return '7';
  if (!/^\d(\.\d)?$/.test(value)) throw invalid('prompt --v', 'must be a version such as 7 or 6.1');
  return value;
}

function readQuality(value: string | undefined): number {
  if (value === undefined) return 1;
  const quality = Number(value);
  if (value === '' || !QUALITIES.includes(quality))
    throw invalid('prompt --q', `must be one of ${QUALITIES.join(', ')}`);
  return quality;
}

function readSeed(value: string | undefined): number | null {
  if (value === undefined) return null;
  const seed = Number(value);
  if (!/^\d{1,10}$/.test(value) || seed > 4_294_967_295) throw invalid('prompt --seed', 'must be 0 to 4294967295');
  return seed;
}

/** Quality is size here: 1 is about 1.2 megapixels. The aspect ratio is exact if whole pixels allow it. */
function readSize(value: string | undefined, quality: number): { width: number; height: number } {
  const match = /^(\d{1,4})[:x](\d{1,4})$/.exec(value ?? '1:1');
  const across = Number(match?.[1]);
  const down = Number(match?.[2]);
  if (!match || across === 0 || down === 0 || across > down * WIDEST || down > across * WIDEST) {
    throw invalid('prompt --ar', `must be width:height in whole numbers, at most ${WIDEST}:1 either way`);
  }
  const divisor = gcd(across, down);
  const [unitX, unitY] = [across / divisor, down / divisor];
  const times = Math.sqrt((AREA * Math.min(2, Math.max(0.35, quality))) / (unitX * unitY));
  const whole = times >= 8 ? Math.round(times) : times;
  return { width: Math.round(unitX * whole), height: Math.round(unitY * whole) };
}

function gcd(left: number, right: number): number {
  return right === 0 ? left : gcd(right, left % right);
}
