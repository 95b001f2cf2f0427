import { expect, test } from 'vitest';
import { cornersOf, hasExif, type TaggedType, tagged, UPRIGHT } from '../../../test/helpers/tagged.ts';
import { studiosOfThisFile } from '../../../test/helpers/testStudios.ts';
import {
  activateService,
  chatAnswer,
  jobAfter,
  REFUSED,
  serviceKeys,
  servicesOfThisFile,
} from '../../../test/helpers/wireServices.ts';
import type { StudioRequest } from '../../shared/kinds/index.ts';

/** Pictures are sent with upright pixels and without the orientation tag, which gateways read differently. */

const openStudio = studiosOfThisFile();
const startService = servicesOfThisFile();

/** The pictures that a gateway received of a request, in the order of its body. */
async function sentOf(files: readonly Buffer[], requestOf: (assetIds: string[]) => StudioRequest): Promise<Buffer[]> {
  const service = await startService(({ path }) => (path.includes('chat') ? REFUSED : chatAnswer('Yes')));
  const studio = await openStudio({ ports: { keys: serviceKeys() } });
  const models = [
    { id: 'language', kind: 'chat', pictures: true },
    { id: 'video-standard', kind: 'video' },
  ];
  await activateService(studio, service.baseUrl, { vendor: 'acme', models });
  const ids: string[] = [];
  for (const [at, bytes] of files.entries()) {
    ids.push((await studio.upload(`${at}.bin`, bytes)).id);
  }
  await jobAfter(
    studio,
    () => studio.ask('jobs.enqueue', { requests: [requestOf(ids)] }),
    ({ state }) => state === 'failed',
  );
  const body = service.bodies().at(-1) ?? '';
  return [...body.matchAll(/data:image\/\w+;base64,([^"]+)/g)].map(([, text = '']) => Buffer.from(text, 'base64'));
}

const film = { kind: 'video', model: 'video-standard', prompt: 'A quay' } as const;

test.each<TaggedType>(['jpeg', 'png', 'webp'])('a %s of every orientation is sent upright', async (type) => {
  for (const orientation of [2, 3, 4, 5, 6, 7, 8]) {
    const [sent = Buffer.alloc(0)] = await sentOf([tagged(type, orientation)], ([id = '']) => ({
      ...film,
      image: { assetId: id },
    }));
    expect({ orientation, ...(await cornersOf(sent)) }).toEqual({ orientation, ...UPRIGHT });
    expect(hasExif(sent)).toBe(false);
  }
});

test('first frame, last frame, references and pictures of a chat are all sent upright', async () => {
  const files = [tagged('jpeg', 6), tagged('png', 8)];
  const frames = await sentOf(files, ([a = '', b = '']) => ({
    ...film,
    image: { assetId: a },
    lastFrame: { assetId: b },
  }));
  const references = await sentOf(files, (ids) => ({ ...film, referenceImages: ids.map((assetId) => ({ assetId })) }));
  const asked = await sentOf(files, (ids) => ({
    kind: 'chat',
    model: 'language',
    messages: [{ role: 'user', content: 'What is it?', pictures: ids.map((assetId) => ({ assetId })) }],
  }));
  for (const sent of [frames, references, asked]) {
    expect(sent).toHaveLength(2);
    for (const bytes of sent) expect(await cornersOf(bytes)).toEqual(UPRIGHT);
  }
});

test('a picture that nothing turns is sent byte for byte, and a turned one as the same bytes each time', async () => {
  for (const type of ['jpeg', 'png', 'webp'] as const) {
    const plain = tagged(type, 1);
    const requestOf = ([id = '']: string[]): StudioRequest => ({ ...film, image: { assetId: id } });
    expect(await sentOf([plain], requestOf)).toEqual([plain]);
    const turned = tagged(type, 6);
    expect(await sentOf([turned], requestOf)).toEqual(await sentOf([turned], requestOf));
  }
});
