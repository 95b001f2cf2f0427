import type { Place } from '../keys/places.ts';
import { placeNow } from '../keys/shortcuts.ts';
import { navigate, parseRoute } from '../route.ts';

/** The page of the guide for each place. */
const TOPICS: Record<Place, string> = {
  chat: 'chat',
  painter: 'images',
  viewer: 'images',
  library: 'library',
  settings: 'gateways',
  spend: 'spend',
  evidence: 'spend',
  board: 'storyboard',
  cast: 'cast-and-sound',
  sound: 'cast-and-sound',
  seams: 'storyboard',
  shotList: 'storyboard',
  export: 'export',
  queue: 'queue',
  batch: 'queue',
  night: 'queue',
  run: 'queue',
  review: 'review',
  pictures: 'review',
  help: 'first-film',
};

/** Opens a page of the guide, by default the one about the current place. Leaving the help returns to where it was first opened. */
export function openHelp(topic?: string, anchor?: string): void {
  const { hash } = window.location;
  const { page, part, params } = parseRoute(hash);
  const from = page === 'help' ? (params.get('from') ?? '') : hash;
  const shown = page === 'help' ? part : undefined;
  navigate('help', { from, ...(anchor && { at: anchor }) }, topic ?? shown ?? TOPICS[placeNow() ?? 'help']);
}
