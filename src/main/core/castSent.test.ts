import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { testPng } from '../../../test/helpers/png.ts';
import { studiosOfThisFile } from '../../../test/helpers/testStudios.ts';
import {
  activateService,
  jobAfter,
  REFUSED,
  serviceKeys,
  servicesOfThisFile,
} from '../../../test/helpers/wireServices.ts';
import type { Board } from '../../shared/board/board.ts';
import type { CastMember } from '../../shared/board/cast.ts';

/** Each take records what was sent of the cast: members, slots, pictures by hash, and words. */

const openStudio = studiosOfThisFile();
const startService = servicesOfThisFile();
const hash = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** A film of one shot with a cast, at a gateway that records requests and refuses them. */
async function film() {
  const { baseUrl, bodies } = await startService(() => REFUSED);
  const { ask, call, upload } = await openStudio({ ports: { keys: serviceKeys() } });
  await activateService({ ask }, baseUrl, { vendor: 'acme' });
  const picture = async (side: number) => {
    const bytes = testPng(side, 16);
    return { assetId: (await upload(`${side}.png`, bytes)).id, sha256: hash(bytes) };
  };
  const pictures = [await picture(16), await picture(32), await picture(48), await picture(64)];
  const [ines, coat, ferry, other] = pictures.map(({ assetId }) => assetId) as [string, string, string, string];
  const cast = [
    { id: 'i', name: 'Ines', sheets: [{ assetId: ines }] },
    { id: 'c', name: 'Coat', kind: 'thing', sheets: [{ assetId: coat }] },
    { id: 'f', name: 'The ferry', kind: 'thing', sheets: [{ assetId: ferry }] },
    { id: 'h', name: 'Harbour', kind: 'place', words: 'wet stone', sheets: [{ assetId: other }] },
  ] as CastMember[];
  const { id: projectId } = await ask('projects.create', { name: 'Film' });
  const prompt = '@Ines in her @coat as @the ferry leaves the @harbour';
  const shots = [{ id: 's', prompt, model: 'video-standard', source: 'references' }] as Board['shots'];
  await ask('storyboard.save', { projectId, revision: 0, shots, cast });
  const ended = (start: () => Promise<unknown>) => jobAfter({ ask }, start, ({ state }) => state === 'failed');
  return { ask, call, bodies, pictures, projectId, ended };
}

type Body = { extra_body: Record<string, { prompt: string; referenceImages?: unknown[]; cast?: unknown }> };

test('a take keeps who was sent, in which slot, by which hash and with which words, whatever the cast becomes', async () => {
  const { ask, bodies, pictures, projectId, ended } = await film();
  const [ines, coat, ferry, other] = pictures;
  const job = await ended(() => ask('storyboard.makeTake', { projectId, shotId: 's' }));
  const body = bodies()[0] ?? '';
  expect(body).toContain('Ines in her coat as the ferry leaves the harbour\\nHarbour: wet stone');
  expect(body).not.toContain('memberId');
  expect((JSON.parse(body) as Body).extra_body.acme?.referenceImages).toHaveLength(3);
  const kept = {
    request: {
      cast: [
        { memberId: 'i', name: 'Ines', kind: 'person', slot: 1, sheet: 1, assetId: ines?.assetId },
        { memberId: 'c', name: 'Coat', kind: 'thing', slot: 2, sheet: 1, assetId: coat?.assetId },
        { memberId: 'f', name: 'The ferry', kind: 'thing', slot: 3, sheet: 1, assetId: ferry?.assetId },
        { memberId: 'h', name: 'Harbour', kind: 'place', words: 'wet stone', leftOut: true },
      ],
    },
    inputs: [ines, coat, ferry].map((one, index) => ({ field: `referenceImages.${index}`, ...one })),
  };
  expect(job).toMatchObject(kept);

  const board = await ask('storyboard.get', { projectId });
  const changed = board.cast?.map((member) =>
    member.id === 'c'
      ? { ...member, name: 'Oilskin', words: 'yellow', sheets: [{ assetId: other?.assetId ?? '' }] }
      : member,
  );
  await ask('storyboard.save', { ...board, cast: changed ?? [] });
  expect(await ask('jobs.get', { id: job.id })).toMatchObject(kept);
  // The same request goes again, with what it was made of.
  const again = await ended(() => ask('jobs.retry', { id: job.id }));
  expect(again).toMatchObject(kept);
});
