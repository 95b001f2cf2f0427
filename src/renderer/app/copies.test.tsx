import { beforeEach, expect, it, vi } from 'vitest';
import { profileSchema } from '../../shared/gateway/profile.ts';
import { textOf } from '../testing/find.ts';
import { aJob, fakeStudio, show, until } from '../testing/page.tsx';
import { Toasts } from '../ui/index.ts';
import { copyJobAsCurl } from './copies.ts';
import { useStudio } from './state/studio.ts';

const copied: string[] = [];
vi.stubGlobal('navigator', { ...navigator, clipboard: { writeText: async (text: string) => void copied.push(text) } });

const SIGNED = 'https://bucket.example/quay.png?X-Amz-Signature=S3CR3T';
const job = aJob({
  profileId: 'p',
  request: { kind: 'video', model: 'film-1', prompt: 'A quay', image: { uri: SIGNED }, config: { durationSeconds: 8 } },
});

beforeEach(() => {
  copied.length = 0;
  const profile = profileSchema.parse({ id: 'p', name: 'P', baseUrl: 'https://gateway.example' });
  useStudio.setState({ profiles: [{ ...profile, id: 'p', name: 'P', key: 'memory', hasBotToken: false } as never] });
});

it('copies the request in the form of its own gateway, without key or query', async () => {
  await copyJobAsCurl(job);
  expect(copied[0]).toContain(`'https://gateway.example/v1/chat/completions'`);
  expect(copied[0]).toContain(`"$DAILIES_API_KEY"`);
  expect(copied[0]).toContain('https://bucket.example/quay.png"');
  expect(copied[0]).not.toContain('S3CR3T');
});

it('copies a request whole, where a list has cut it', async () => {
  fakeStudio({ 'jobs.get': () => job });
  await copyJobAsCurl({ ...job, requestCut: true, request: { ...job.request, prompt: 'A' } as never });
  expect(copied[0]).toContain('A quay');
});

it('says that nothing was copied where the window may not', async () => {
  vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValueOnce(new DOMException('not focused', 'NotAllowedError'));
  await show(<Toasts />);
  await copyJobAsCurl(job);
  await until(() => expect(textOf('.toast.fail')).toContain('Nothing was copied'));
  expect(copied).toEqual([]);
});

it('copies nothing where the gateway is gone', async () => {
  useStudio.setState({ profiles: [] });
  await copyJobAsCurl(job);
  expect(copied).toEqual([]);
});
