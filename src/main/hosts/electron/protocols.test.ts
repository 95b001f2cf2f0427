import { expect, test, vi } from 'vitest';
import type { Studio } from '../../core/studio.ts';

vi.mock('electron', () => ({ protocol: {} }));
const { serveSchemes } = await import('./protocols.ts');

test('only a page leaves a bundle, whatever task the media page names', async () => {
  const received: string[] = [];
  const media = { receiveBundle: async ({ name }: { name: string }) => received.push(name) };
  const put = async (client: 'page' | 'mediaWorker', fields: string): Promise<number> => {
    const handlers = new Map<string, (request: Request) => Promise<Response>>();
    const session = { protocol: { handle: (scheme: string, take: never) => handlers.set(scheme, take) } };
    const studio = async () => ({ media }) as unknown as Studio;
    serveSchemes(session as never, { serve: async () => null }, studio, client);
    const request = new Request(`studio-media://upload/?${fields}`, { method: 'PUT', body: 'PK' });
    return (await handlers.get('studio-media')?.(request))?.status ?? 0;
  };
  for (const fields of ['name=a&task=t&role=bundle', 'name=a&role=bundle', 'name=a&role=bundle&role=frame&task=t'])
    expect(await put('mediaWorker', fields)).toBe(403);
  expect(received).toEqual([]);
  expect(await put('page', 'name=a&role=bundle')).toBe(200);
  expect(received).toEqual(['a']);
});
