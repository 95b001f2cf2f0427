import { setTimeout as wait } from 'node:timers/promises';
import { LOST_CLIP, NIGHT_STILLS, REFUSED_STILL } from './lastFerry.ts';
import type { Stage } from './pictures.ts';
import { at, type PictureStudio } from './studio.ts';

/** Takes the studio from the stage before to this one. */
export const reach = (studio: PictureStudio, stage: Stage): Promise<void> => STEPS[stage](studio);

const STEPS: Record<Stage, (studio: PictureStudio) => Promise<void>> = {
  first: async () => {},
  evening: (studio) => studio.fill(),
  scheduled: schedule,
  busy: work,
  morning: wakeUp,
};

async function schedule(studio: PictureStudio): Promise<void> {
  const { host } = studio;
  await host.ask('night.plan', {
    start: '23:00',
    end: '07:00',
    capNano: 20_000_000_000,
    rules: { failuresInRow: 3, shotRefusals: 2, goOnInDoubt: true, outageMinutes: 30 },
  });
  for (const title of ['Push in to the deck lamp', 'She watches the lights', 'Out to sea', 'Open sea, dawn'])
    await studio.takeOf(title, true);
  await studio.enqueue(
    [...NIGHT_STILLS, REFUSED_STILL].map((prompt) => ({ kind: 'imagine', prompt })),
    true,
  );
}

/** Some clips are running at a slow gateway, one reply was lost, others are queued. */
async function work(studio: PictureStudio): Promise<void> {
  await studio.setPace(0.4);
  const clip = { kind: 'video', model: 'video-standard', config: { durationSeconds: 4, resolution: '720p' } } as const;
  const [lost] = await studio.enqueue([{ ...clip, prompt: LOST_CLIP }]);
  if (lost) await studio.ended([lost]);
  await studio.takeOf('Car deck');
  await studio.takeOf('Rain on the window');
  await studio.enqueue([{ kind: 'imagine', prompt: 'A thermos on a bench, steam, window light --ar 16:9' }]);
  await wait(8_000);
}

async function wakeUp(studio: PictureStudio): Promise<void> {
  const { host } = studio;
  await studio.setPace('fast');
  await studio.ended(
    (await host.ask('jobs.list', { states: ['queued', 'running'], limit: 100 })).jobs.filter(
      ({ runId }) => runId === undefined,
    ),
  );
  await passNight(studio, 24);
}

/** Passes the night that begins on this day, up to its report. */
export async function passNight(studio: PictureStudio, day: number): Promise<void> {
  await studio.sleepUntil(at(day, 23) + 1_000);
  await makeAll(studio);
  await studio.sleepUntil(at(day + 1, 7) + 1_000);
  while ((await studio.host.ask('night.get')).current) await wait(300);
  await studio.sleepUntil(at(day + 1, 7, 20));
  await studio.reload();
}

const QUARTER_MS = 15 * 60_000;

/** Each job of the night that ends takes a quarter of an hour. */
async function makeAll(studio: PictureStudio): Promise<void> {
  for (let before = 0; ; await wait(300)) {
    const { current } = await studio.host.ask('night.get');
    const { ended = 0, waiting = 0, underWay = 0 } = current?.jobs ?? {};
    if (waiting + underWay === 0) return;
    if (ended > before) await studio.sleepUntil(studio.clock.now() + QUARTER_MS);
    before = ended;
  }
}
