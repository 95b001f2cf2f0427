import { afterAll, beforeAll, expect, it } from 'vitest';
import { useEntities } from '../../../src/renderer/app/index.ts';
import { QueuePage } from '../../../src/renderer/features/queue/QueuePage.tsx';
import { setQueueView } from '../../../src/renderer/features/queue/state.ts';
import {
  acting,
  aJob,
  anAsset,
  byText,
  fakeStudio,
  jobsPage,
  show,
  until,
} from '../../../src/renderer/testing/page.tsx';
import type { StudioRequest } from '../../../src/shared/kinds/index.ts';
import { labels } from '../../labels.ts';
import { addSpeech, type SpeechRequest } from './kind.ts';

/** The Queue page shows jobs of a kind that was added by that kind's own words. */

let takeAway: () => void;
beforeAll(() => {
  takeAway = addSpeech();
});
afterAll(() => takeAway());

it('shows an added kind by its title, its facts and how it ended, and filters by it', async () => {
  window.location.hash = '#/queue';
  useEntities.setState({ jobs: new Map(), assets: new Map() });
  const speech: SpeechRequest = { kind: 'speech', model: 'narrator', text: 'The harbour sleeps.', seconds: 4 };
  const job = aJob({
    id: 'voice',
    kind: 'speech' as 'chat',
    request: speech as object as StudioRequest,
    model: 'narrator',
    state: 'succeeded',
    outputs: [anAsset({ mime: 'audio/wav', width: 0, height: 0, seconds: 4 })],
  });
  const silent = aJob({ ...job, id: 'silent', request: { ...speech, text: '' } as object as StudioRequest });
  const studio = fakeStudio({ 'jobs.list': (filter) => jobsPage([job, silent], filter) });
  await show(<QueuePage />);
  await until(() => expect(document.body.textContent).toContain('The harbour sleeps.'));
  const text = document.body.textContent ?? '';
  expect(text).toContain('voice-over, 4 s');
  expect(text).toContain(labels.onDiskVerified);
  expect(text).toContain('Silence');
  await acting(() => setQueueView({ kind: 'speech' as 'chat' }));
  await until(() => expect(studio.callsOf('jobs.list')).toContainEqual(expect.objectContaining({ kinds: ['speech'] })));
  expect(byText(labels.kind, '[role=combobox]').textContent).toContain('Speech');
});
