/** Phrases for the sandbox's answers: camera craft, in plain sentences. */
export const SIZES = [
  'Extreme wide',
  'Wide',
  'Full',
  'Medium',
  'Medium close-up',
  'Close-up',
  'Insert',
] as const satisfies [string, ...string[]];

export const MOVES = [
  'locked off',
  'a slow push in',
  'a lateral track, left to right',
  'handheld, barely breathing',
  'a tilt down that ends on the hands',
  'a pull back that gives the place away',
  'a static frame; only the weather moves',
] as const satisfies [string, ...string[]];

export const LIGHTS = [
  'one practical in frame, everything else falls off',
  'sodium from the left, cold fill from the window',
  'the last ten minutes of blue hour',
  'overcast, no shadow, let the colour do the work',
  'a hard back light, so that the rain reads',
  'first sun, low and long',
] as const satisfies [string, ...string[]];

export const SOUNDS = [
  'rain on metal, close',
  'the hum of an engine two decks down',
  'nothing but wind in a cable',
  'a bell buoy, far off, twice',
  'footsteps that stop',
  'water against the hull',
] as const satisfies [string, ...string[]];

export const BEATS = [
  'establishes the place before anyone enters it',
  'finds the detail that the rest will hang on',
  'holds a beat longer than is comfortable',
  'answers the shot before it',
  'turns the scene: what was background becomes the subject',
  'lets the sound arrive first and the picture follow',
  'ends on movement, so that the next cut is free',
] as const satisfies [string, ...string[]];

export const ADVICE = [
  'Keep the horizon at one height through the sequence, so that the cuts do not swim.',
  'Give each clip one action only; a second one is what the model will blur.',
  'Name the light before the lens. Models follow light more faithfully than millimetres.',
  'Repeat the same three nouns in every prompt of the scene: they are what holds the continuity.',
  'Use the last frame of the kept take as the first frame of the next, and let the sound carry the cut.',
  'Fix the seed while you change the words, and the words while you change the seed; never both at once.',
  'Four seconds are enough for a look, six for a gesture, eight for a change of mind.',
  'Write the weather into every shot or into none.',
] as const satisfies [string, ...string[]];

export const OPENERS = [
  'Here is a way to look at it.',
  'A short answer first, then how to shoot it.',
  'Start from the picture that you cannot leave out.',
  'Three things decide this one: the light, the distance, and when it ends.',
] as const satisfies [string, ...string[]];

export const TITLE_FORMS = [
  (noun: string) => `The ${noun}`,
  (noun: string) => `After the ${noun}`,
  (noun: string) => `${noun}, 4 a.m.`,
  (noun: string) => `No Other ${noun}`,
  (noun: string) => `What the ${noun} Kept`,
  (noun: string) => `Leaving ${noun}`,
] as const satisfies [(noun: string) => string, ...((noun: string) => string)[]];

/** Words that describe nothing. */
export const STOP_WORDS = new Set(
  `a about above after again all also am an and any are as at be because been before being below between both but by can could did do does doing down
  during each few for from further give had has have having he her here hers him his how i if in into is it its itself just let list make me more most
  my no nor not now of off on once one only or other our out over own please same say she should so some such tell than that the their them then
  there these they this those three through to too two under until up us use very want was we were what when where which while who why will with
  would write you your yours describe show create suggest help need like get words word sentence sentences short long five four ten
  answer reply explain shot shots film scene video clip prompt prompts title titles storyboard idea ideas seconds second`.split(
    /\s+/,
  ),
);
