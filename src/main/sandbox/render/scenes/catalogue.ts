import { hashOf, randomOf } from '../../random.ts';
import type { Mood } from '../mood.ts';
import { noiseOf } from '../noise.ts';
import type { Kit, Scene } from '../scene.ts';
import { lighthouse, storm } from './coast.ts';
import { cardeck } from './deck.ts';
import { harbour } from './harbour.ts';
import { dawn, ridges, salt } from './land.ts';
import { lamp, pane, portrait } from './rain.ts';
import { sea, wake } from './sea.ts';

interface SceneKind {
  build: (kit: Kit) => Scene;
  /** Words that ask for the scene, each with its weight. */
  words: readonly [RegExp, number][];
}

const SCENES: Record<string, SceneKind> = {
  harbour: {
    build: harbour,
    words: [
      [/\b(harbou?r|quay|pier|dock|docks|port|jetty|marina|embankment)\b/g, 3],
      [/\b(ferry|ship|boat|vessel|liner)\b/g, 1],
      [/\b(night|city|town|river|canal|skyline|bridge)\b/g, 1],
    ],
  },
  lamp: {
    build: lamp,
    words: [
      [/\b(lamp|lamps|lantern|streetlight|street light|lamppost|lightbulb)\b/g, 3],
      [/\b(street|alley|corner|pavement|road at night)\b/g, 2],
      [/\b(rain|rainy|raining)\b/g, 1],
    ],
  },
  portrait: {
    build: portrait,
    words: [
      [/\b(portrait|face|profile|window seat|cafe|café|train)\b/g, 3],
      [/\b(she|he|her|him|woman|man|girl|boy|person|passenger)\b/g, 1],
      [/\b(window|glass|looks?|looking|thinks?|sits?|sitting|room|interior|kitchen|bedroom|office)\b/g, 2],
      [/\b(close-up|closeup|close)\b/g, 1],
    ],
  },
  pane: {
    build: pane,
    words: [
      [/\b(bokeh|raindrops?|drops?|droplets?|windscreen|windshield|pane|condensation)\b/g, 3],
      [/\b(window|glass)\b/g, 2],
      [/\b(neon|lights|blurred|traffic|city)\b/g, 2],
      [/\b(rain|rainy)\b/g, 1],
    ],
  },
  sea: {
    build: sea,
    words: [
      [/\b(sea|ocean|open water|waters|strait|fjord|crossing|lake)\b/g, 3],
      [/\b(ferry|ship|boat|vessel|liner|sails?)\b/g, 2],
      [/\b(fog|mist|horizon|grey|gray)\b/g, 1],
    ],
  },
  wake: {
    build: wake,
    words: [
      [/\b(wake|stern|foam|propeller|aft|trail)\b/g, 4],
      [/\b(leaving|departs?|behind)\b/g, 1],
    ],
  },
  storm: {
    build: storm,
    words: [
      [/\b(storm|gale|tempest|hurricane|squall|rough|waves?|swell|breakers)\b/g, 3],
      [/\b(sea|ocean|wind)\b/g, 1],
    ],
  },
  lighthouse: {
    build: lighthouse,
    words: [
      [/\b(lighthouse|beacon|beam|cape|headland)\b/g, 5],
      [/\b(coast|rocks|cliff|island)\b/g, 2],
    ],
  },
  dawn: {
    build: dawn,
    words: [
      [/\b(dawn|sunrise|sunset|daybreak|first light|golden hour|dusk|evening)\b/g, 4],
      [/\b(sun|morning|horizon|calm|railing)\b/g, 2],
    ],
  },
  salt: {
    build: salt,
    words: [
      [/\b(salt|desert|flat|flats|dunes?|plain|steppe|beach|sand)\b/g, 4],
      [/\b(road|highway|walks?|walking|noon|white|summer|empty|car)\b/g, 1],
    ],
  },
  cardeck: {
    build: cardeck,
    words: [
      [/\b(car deck|cardeck|garage|tunnel|parking|underground|corridor|subway|metro|hangar)\b/g, 5],
      [/\b(cars?|trucks?|engine|neon tubes?|deck|hall)\b/g, 2],
    ],
  },
  ridges: {
    build: ridges,
    words: [
      [
        /\b(mountains?|hills?|forest|woods|trees?|valley|landscape|snow|winter|field|meadow|village|countryside|nature|birds?|sky|clouds?)\b/g,
        3,
      ],
    ],
  },
};

/** The scene that the words ask for. With `score` 0 none was asked for and the seed decided. */
export function sceneFor(prompt: string, seed: number): { name: string; score: number } {
  const text = prompt.toLowerCase();
  const scored = Object.entries(SCENES).map(([name, { words }]) => ({
    name,
    score: words.reduce((sum, [word, weight]) => sum + weight * (text.match(word)?.length ?? 0), 0),
  }));
  const best = scored.reduce((top, entry) => (entry.score > top.score ? entry : top));
  if (best.score > 0) return best;
  const chosen = scored[hashOf(`${text}/${seed}`) % scored.length] ?? best;
  return { name: chosen.name, score: 0 };
}

/** Builds a scene: the same name, mood, size and seed give the same picture. */
export function buildScene(name: string, size: { width: number; height: number }, seed: number, mood: Mood): Scene {
  const kind = SCENES[name] ?? SCENES.sea;
  if (!kind) throw new Error(`There is no scene ${name}.`);
  const unit = Math.min(size.height, size.width * 0.62);
  return kind.build({
    ...size,
    unit,
    random: randomOf(hashOf(`${name}/${seed}`)),
    noise: noiseOf(hashOf(`noise/${seed}`)),
    mood,
  });
}
