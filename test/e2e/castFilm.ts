import type { Asset } from '../../src/shared/asset.ts';
import type { Board } from '../../src/shared/board.ts';
import type { CastMember } from '../../src/shared/cast.ts';
import type { Result } from '../../src/shared/result.ts';
import { testPng } from '../helpers/png.ts';
import type { Program } from './program.ts';

/** A film with a cast: pictures as sheets, and shots of several sources that name its members. */
export async function castFilm({ host }: Program): Promise<{ projectId: string; pictures: string[] }> {
  const { id: projectId } = await host.ask('projects.create', { name: 'Last Ferry' });
  await host.ask('settings.set', { welcomed: true, projectId });
  const pictures: string[] = [];
  for (const index of [0, 1, 2, 3]) {
    const stored = await host.request(`/media?name=sheet-${index}.png&role=source`, {
      method: 'PUT',
      body: new Uint8Array(testPng(320, 180, index)),
    });
    const answer = (await stored.json()) as Result<Asset>;
    if (!answer.ok) throw new Error(answer.error.message);
    pictures.push(answer.data.id);
  }
  const sheet = (at: number) => ({ assetId: pictures[at] ?? '' });
  const cast = [
    { id: 'ines', name: 'Ines', words: 'woman of 30, hair up', sheets: [sheet(0)] },
    { id: 'hand', name: 'Deckhand', words: 'oilskins, never near' },
    { id: 'coat', name: 'Wool coat', kind: 'thing', words: 'charcoal, collar up', sheets: [sheet(1)], with: 'ines' },
    { id: 'ferry', name: 'The ferry', kind: 'thing', words: 'three decks, one funnel', sheets: [sheet(2)] },
    { id: 'port', name: 'Harbour', kind: 'place', words: 'wet stone, sodium lamps', sheets: [sheet(3)] },
  ];
  const shot = (id: string, title: string, prompt: string, source: string) => ({
    id,
    title,
    prompt,
    source,
    model: 'video-standard',
    config: { durationSeconds: 4, resolution: '720p', aspectRatio: '16:9' },
  });
  const shots = [
    shot('s1', 'Harbour, rain', 'The @harbour at night, @the ferry at the quay.', 'references'),
    shot('s2', 'Car deck', 'Green tubes, chains. A @deckhand far off.', 'text'),
    shot('s3', 'On the pier', '@Ines on the pier, back to us, as @the ferry leaves the @harbour.', 'references'),
  ];
  const board = await host.ask('storyboard.get', { projectId });
  await host.ask('storyboard.save', {
    ...board,
    shots: shots as Board['shots'],
    cast: cast as CastMember[],
  });
  return { projectId, pictures };
}
