import { EventEmitter } from 'node:events';
import { beforeEach, expect, test, vi } from 'vitest';

const { made } = vi.hoisted(() => ({
  made: [] as { options: { actions: { text: string }[] }; emit(name: string): void }[],
}));
vi.mock('electron', () => ({
  Notification: class extends EventEmitter {
    static isSupported = () => true;
    readonly options: object;
    constructor(options: object) {
      super();
      this.options = options;
      made.push(this as never);
    }
    show(): void {}
  },
}));
const { createNotifier } = await import('./notifications.ts');

beforeEach(() => void made.splice(0));

test.each(['click', 'action'])('a %s leads to what the notification is about', (press) => {
  const led: object[] = [];
  const notifier = createNotifier((about) => led.push(about));
  notifier.notify({ title: 'Unconfirmed', body: 'No reply.', jobId: 'job_1' });
  notifier.notify({ title: 'Night 1', body: 'Done.', place: 'night' });
  notifier.notify({ title: 'Dailies goes on', body: '' });
  expect(made.map(({ options }) => options.actions[0]?.text)).toEqual(['Show the job', 'Show the run', 'Open Dailies']);
  for (const one of made) one.emit(press);
  expect(led).toMatchObject([{ jobId: 'job_1' }, { place: 'night' }, { title: 'Dailies goes on' }]);
});
