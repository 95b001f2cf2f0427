import type { Lab } from '../../film/measures.ts';

/** sRGB value of 8 bits → linear light. */
const LINEAR = Float64Array.from({ length: 256 }, (_, value) => {
  const part = value / 255;
  return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
});

const cubeRoot = (part: number): number => (part > 216 / 24_389 ? Math.cbrt(part) : ((24_389 / 27) * part + 16) / 116);

/** CIE L*a*b* of an sRGB colour (IEC 61966-2-1), white point D65. */
export function labOf(red: number, green: number, blue: number): Lab {
  const r = LINEAR[Math.round(red)] ?? 0;
  const g = LINEAR[Math.round(green)] ?? 0;
  const b = LINEAR[Math.round(blue)] ?? 0;
  const x = cubeRoot((0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.95047);
  const y = cubeRoot(0.2126729 * r + 0.7151522 * g + 0.072175 * b);
  const z = cubeRoot((0.0193339 * r + 0.119192 * g + 0.9503041 * b) / 1.08883);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

const RADIANS = Math.PI / 180;
const cosine = (degrees: number): number => Math.cos(degrees * RADIANS);
const sine = (degrees: number): number => Math.sin(degrees * RADIANS);
const CHROMA_REFERENCE = 25 ** 7;

/** Hue angle in degrees, 0 to 360; 0 for a grey. */
const hueOf = (a: number, b: number): number => (a === 0 && b === 0 ? 0 : (Math.atan2(b, a) / RADIANS + 360) % 360);

function hueDifference(from: number, to: number, chromaProduct: number): number {
  if (chromaProduct === 0) return 0;
  const difference = to - from;
  if (Math.abs(difference) <= 180) return difference;
  return difference > 180 ? difference - 360 : difference + 360;
}

function meanHue(one: number, other: number, chromaProduct: number): number {
  const sum = one + other;
  if (chromaProduct === 0) return sum;
  if (Math.abs(one - other) <= 180) return sum / 2;
  return sum < 360 ? (sum + 360) / 2 : (sum - 360) / 2;
}

/**
 * CIEDE2000 of two colours, with all weights 1 (Sharma, Wu, Dalal: "The CIEDE2000 color-difference formula: implementation notes,
 * supplementary test data, and mathematical observations", 2005).
 */
export function deltaE2000([l1, a1, b1]: Lab, [l2, a2, b2]: Lab): number {
  const meanChroma7 = ((Math.hypot(a1, b1) + Math.hypot(a2, b2)) / 2) ** 7;
  const stretch = 1 + (1 - Math.sqrt(meanChroma7 / (meanChroma7 + CHROMA_REFERENCE))) / 2;
  const c1 = Math.hypot(a1 * stretch, b1);
  const c2 = Math.hypot(a2 * stretch, b2);
  const h1 = hueOf(a1 * stretch, b1);
  const h2 = hueOf(a2 * stretch, b2);
  const hueStep = 2 * Math.sqrt(c1 * c2) * sine(hueDifference(h1, h2, c1 * c2) / 2);
  const lightness = ((l1 + l2) / 2 - 50) ** 2;
  const chroma = (c1 + c2) / 2;
  const hue = meanHue(h1, h2, c1 * c2);
  const t =
    1 - 0.17 * cosine(hue - 30) + 0.24 * cosine(2 * hue) + 0.32 * cosine(3 * hue + 6) - 0.2 * cosine(4 * hue - 63);
  const rotation =
    -2 * Math.sqrt(chroma ** 7 / (chroma ** 7 + CHROMA_REFERENCE)) * sine(60 * Math.exp(-(((hue - 275) / 25) ** 2)));
  const byLightness = (l2 - l1) / (1 + (0.015 * lightness) / Math.sqrt(20 + lightness));
  const byChroma = (c2 - c1) / (1 + 0.045 * chroma);
  const byHue = hueStep / (1 + 0.015 * chroma * t);
  return Math.sqrt(byLightness ** 2 + byChroma ** 2 + byHue ** 2 + rotation * byChroma * byHue);
}
