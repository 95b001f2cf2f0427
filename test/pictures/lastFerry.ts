import type { Shot } from '../../src/shared/board/board.ts';
import type { CastMember } from '../../src/shared/board/cast.ts';

/** The additions to the sample film for the pictures of the documentation. */

/** Pictures of the film, each made by its prompt. */
export const STILLS = {
  front: 'Portrait of a woman of thirty, hair up, charcoal wool coat, window light --ar 16:9 --seed 11',
  profile: 'Close-up profile of a woman at a rainy window, amber light --ar 16:9 --seed 3',
  coat: 'Street lamp in an alley, rain, a man in a long coat waits --ar 16:9 --seed 12',
  ferry: 'The last ferry at sea, three decks lit, gulls, grey morning --ar 16:9 --seed 9',
  harbour: 'Harbour at night, wet stone, sodium lamps --ar 16:9 --seed 21',
  lighthouse: 'Lighthouse beam over a black coast, rocks --ar 16:9 --seed 4',
  wake: 'The wake behind the stern at dusk, gulls --ar 16:9 --seed 6',
  storm: 'Storm at sea, high swell, a ship far off --ar 16:9 --seed 2',
  dawn: 'Dawn over a calm sea, railing, pink sky --ar 16:9 --seed 13',
  fjord: 'Snow on mountains above a fjord, blue hour --ar 16:9 --seed 14',
} as const;
export type Still = keyof typeof STILLS;

/** `idOf`: the file of a still. */
export const castOf = (idOf: (still: Still) => string): CastMember[] => {
  const sheet = (still: Still, label?: string) => ({ assetId: idOf(still), ...(label && { label }) });
  return [
    {
      id: 'ines',
      name: 'Ines',
      kind: 'person',
      words: 'Woman of thirty, hair up. Hands in her pockets.',
      sheets: [sheet('front', 'front'), sheet('profile', 'profile')],
    },
    { id: 'deckhand', name: 'Deckhand', kind: 'person', words: 'Oilskins, never near, no face.', sheets: [] },
    {
      id: 'coat',
      name: 'Wool coat',
      kind: 'thing',
      words: 'Charcoal, collar up, too large for her.',
      sheets: [sheet('coat')],
      with: 'ines',
    },
    {
      id: 'ferry',
      name: 'The ferry',
      kind: 'thing',
      words: 'Three decks, one funnel, warm windows.',
      sheets: [sheet('ferry')],
    },
    {
      id: 'harbour',
      name: 'Harbour',
      kind: 'place',
      words: 'Wet stone, sodium lamps, low hills behind.',
      sheets: [sheet('harbour'), sheet('lighthouse')],
    },
  ];
};

/** The prompts of the sample film's shots with a cast. */
export const CAST_SHOTS: Record<string, Pick<Shot, 'prompt' | 'source'>> = {
  'Harbour at night': {
    prompt:
      'The @Harbour at night after the rain. @The ferry lies at the pier, its lights on black water. Wide, still.',
    source: 'references',
  },
  'She watches the lights': {
    prompt:
      '@Ines, a woman in a wool coat, at the rail of @The ferry at night. Harbour lights slide away to the right. Held breath, no smile. 50 mm.',
    source: 'references',
  },
};

export const CAR_DECK = {
  id: 'car-deck',
  title: 'Car deck',
  prompt: 'The empty car deck of a ferry. Green neon tubes, chains, one @Deckhand far off. Slow dolly.',
};
export const WINDOW = {
  id: 'window',
  title: 'Rain on the window',
  prompt:
    '@Ines at the window of the saloon, her profile. Raindrops run down the pane, harbour lights blurred behind. Close.',
  source: 'references',
  model: 'video-pro',
} as const;

export const SUBTITLES = [
  ['Harbour at night', 1_200, 4_600, 'The last ferry leaves at nine.'],
  ['She watches the lights', 1_000, 4_800, 'I told him I would not look back.'],
  ['Open sea, dawn', 800, 4_200, 'Nobody asks you anything out here.'],
] as const;

export const QUESTION =
  'The coat is too large for her on purpose: it was her father’s. How does the picture say that without a line?';
export const DRAFTS = 'Draft three shots of Ines alone on the upper deck, 4 s each, the last 6 s.';

/** Three lines of it are wrong. */
export const SHOT_TABLE = `kind,prompt,model,seconds,resolution
video,"The ramp goes up, chains tighten, spray",video-standard,4,720p
video,"A thermos on a bench, steam, nobody near",video-standard,5,720p
video,"Ines counts the coins in her hand, close",video-standard,4,720p
imagine,"Film poster: a ferry under one lamp, rain --ar 2:3",,,
video,"Gulls over the wake at first light",video-ultra,6,720p
video,"The harbour seen from the sea, lights go out one by one",video-standard,8,720p
imagine,"Map of the crossing drawn on a napkin --ar 3:2",,,
video,"An empty seat with a wool coat on it",video-standard,4,720p
film,"The last light of the pier, held until it is gone",video-standard,6,720p
video,"The bell of the lower deck, it swings and does not ring",video-standard,4,720p
video,"Hands on the cold rail, rings, no gloves",video-standard,4,720p
imagine,"Title card, white type on black water --ar 16:9",,,
`;

/** Made in the overnight run besides takes of the film. */
export const NIGHT_STILLS = [
  'Film poster: a ferry under one street lamp, rain --ar 16:9 --seed 31',
  'Film poster: a lighthouse beam, red coast --ar 16:9 --seed 32',
  'Film poster: golden dawn over the sea, railing --ar 16:9 --seed 33',
  'Film poster: a face behind a rainy window, blue --ar 16:9 --seed 34',
  'Title card: storm at sea, a ship far off --ar 16:9 --seed 35',
  'Title card: snow on the hills above the harbour --ar 16:9 --seed 36',
];
/** The gateway's filter refuses it. */
export const REFUSED_STILL = 'The letter he was forbidden to send, burning, close --ar 16:9';
/** The reply to it is lost. */
export const LOST_CLIP = 'Gulls over the wake at first light. Handheld, wide.';
