import { type Grade, NIGHT_GRADE } from './colorGrade.ts';
import { MIXED, type Rgb, WARM } from './drawing.ts';

/** What a prompt asks for besides its scene: weather, light, colour, people. */
export interface Mood {
  rain: number;
  snow: number;
  mist: number;
  wind: number;
  /** Whether there is a person in the picture. */
  person: boolean;
  facing: 1 | -1;
  boat: boolean;
  moon: boolean;
  birds: boolean;
  day: boolean;
  close: boolean;
  warm: readonly Rgb[];
  mixed: readonly Rgb[];
  /** The grade that the words or references ask for; null for the scene's own. */
  grade: Grade | null;
}

interface TintWord {
  words: RegExp;
  tint: Grade['tint'];
  lights: readonly Rgb[];
}

const TINTS: readonly TintWord[] = [
  {
    words: /\b(gold|golden|amber|honey|orange|copper|sunset)\b/,
    tint: [176, 112, 40],
    lights: ['255,188,96', '255,216,150', '255,150,70'],
  },
  {
    words: /\b(red|crimson|scarlet|blood|ember)\b/,
    tint: [158, 52, 44],
    lights: ['255,96,74', '255,150,110', '255,190,150'],
  },
  {
    words: /\b(green|emerald|jade|moss)\b/,
    tint: [48, 118, 74],
    lights: ['170,240,190', '220,255,214', '120,220,160'],
  },
  {
    words: /\b(blue|azure|cobalt|ice|icy|cold)\b/,
    tint: [28, 78, 140],
    lights: ['150,200,255', '196,226,255', '120,170,240'],
  },
  {
    words: /\b(pink|rose|magenta|violet|purple|lilac)\b/,
    tint: [132, 56, 128],
    lights: ['255,130,200', '190,140,255', '120,210,255'],
  },
  {
    words: /\b(noir|black and white|monochrome|silver|grey|gray)\b/,
    tint: [118, 122, 124],
    lights: ['236,238,240', '210,216,220', '250,246,238'],
  },
];

const PERSON =
  /\b(she|he|her|his|him|woman|man|girl|boy|person|figure|face|portrait|passenger|sailor|captain|mother|father|child|traveller|traveler|actress|actor|protagonist|silhouette|hero|heroine|dancer|old|young)\b/;

/** Derives the mood from a prompt's words. */
export function moodOf(prompt: string): Mood {
  const text = prompt.toLowerCase();
  const has = (words: RegExp) => words.test(text);
  const tint = TINTS.find(({ words }) => words.test(text));
  const isClear = has(/\b(clear|dry|cloudless|no rain|without rain)\b/);
  return {
    rain: isClear
      ? 0
      : has(/\b(downpour|storm|pouring|torrent)/)
        ? 1.3
        : has(/\b(rain|rainy|raining|drizzle|wet)/)
          ? 0.9
          : 0,
    snow: has(/\b(snow|snowy|snowing|blizzard|winter|frost)/) ? 1 : 0,
    mist: has(/\b(mist|misty|fog|foggy|haze|hazy|smoke|steam)/) ? 1 : 0.4,
    wind: has(/\b(wind|windy|storm|gale|gust)/) ? 1 : 0.3,
    person: has(PERSON),
    facing: has(/\b(left|turns? away|looking back|back to)\b/) ? -1 : 1,
    boat: has(/\b(boat|ferry|ship|vessel|liner|trawler|yacht)/),
    moon: has(/\bmoon(lit|light)?\b/),
    birds: has(/\b(bird|birds|gull|gulls|seagull|crow|swallows?)\b/),
    day: has(/\b(day|daylight|noon|midday|sunny|sun|sunlit|bright|morning|afternoon|white)\b/),
    close: has(/\b(close|close-up|closeup|detail|macro|insert)\b/),
    warm: tint?.lights ?? WARM,
    mixed: tint ? [...tint.lights, ...WARM] : MIXED,
    grade: tint ? { tint: tint.tint, strength: 0.42, exposure: NIGHT_GRADE.exposure } : null,
  };
}
