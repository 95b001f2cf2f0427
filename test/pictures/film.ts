import { setTimeout as wait } from 'node:timers/promises';
import { CAR_DECK, NIGHT_STILLS } from './lastFerry.ts';
import { go } from './pictures.ts';
import { Recorder } from './recorder.ts';
import { passNight } from './stages.ts';
import { at, type PictureStudio, withoutTakes } from './studio.ts';
import { toAnimatedWebp } from './webp.ts';

/**
 * The documentation's film: a prompt becomes two takes at a known price, one is kept, and an overnight run makes what that left outdated.
 */

const PROMPT = 'First light over the harbour. Gulls follow the ferry out. Calm, golden.';
const TITLE = 'First light';
/** A minute of waiting is shown for this long. */
const BETWEEN_MS = 1_000;
const FRAMES_A_STEP = 3;
const STEP_MS = 125;

export async function film(studio: PictureStudio): Promise<Buffer> {
  await studio.sleepUntil(at(25, 21, 40));
  const like = withoutTakes(await studio.shotTitled(CAR_DECK.title));
  await studio.changeShots((shots) => [...shots, { ...like, id: 'first-light', title: TITLE, prompt: '' }]);
  await studio.reload();
  await go(studio, 'storyboard');
  const { page } = studio;
  const recorder = new Recorder(page);
  await page.getByRole('tab').first().click();
  await page.getByRole('option', { name: /^Shot 4\b/ }).click();
  await wait(4_000);
  await recorder.show(900);
  await makeTakes(studio, recorder);
  await keepOne(studio, recorder);
  await schedule(studio, recorder);
  await passNight(studio, 25);
  const { last } = await studio.host.ask('night.get');
  await go(studio, `queue/night?run=${last?.id}`);
  await wait(3_000);
  await recorder.show(3_000);
  return toAnimatedWebp(recorder.frames);
}

async function makeTakes(studio: PictureStudio, recorder: Recorder): Promise<void> {
  const { page } = studio;
  await recorder.click(page.getByRole('option', { name: /^Shot 8\b/ }), 500);
  await recorder.click(page.getByRole('textbox', { name: /^Prompt/ }).first(), 200);
  await recorder.type(PROMPT);
  await page.getByRole('button', { name: /^Make take 1/, disabled: false }).waitFor();
  await recorder.moveTo(page.getByRole('button', { name: /^Make take 1/ }));
  await recorder.show(1_000);
  await studio.setPace(0.4);
  await recorder.click(page.getByRole('button', { name: /^Make take 1/ }), 700);
  await recorder.click(page.getByRole('button', { name: /^Make take 2/, disabled: false }), 500);
  for (;;) {
    const { takes } = await studio.shotTitled(TITLE);
    const jobs = await Promise.all(takes.map((id) => studio.job(id)));
    await recorder.show(STEP_MS);
    if (jobs.every(({ finishedAt }) => finishedAt !== undefined)) break;
    await wait(BETWEEN_MS);
  }
  await studio.setPace('fast');
  await wait(3_000);
  await recorder.show(700);
  await play(studio, recorder, 14);
}

/** Frame by frame, at its own speed. */
async function play({ page }: PictureStudio, recorder: Recorder, steps: number): Promise<void> {
  await page.evaluate('document.activeElement?.blur()');
  for (let step = 0; step < steps; step++) {
    for (let frame = 0; frame < FRAMES_A_STEP; frame++) await page.keyboard.press('ArrowRight');
    await wait(250);
    await recorder.show(STEP_MS);
  }
}

async function keepOne(studio: PictureStudio, recorder: Recorder): Promise<void> {
  const { page } = studio;
  await recorder.click(page.getByRole('button', { name: 'Review' }).first(), 900);
  await wait(4_000);
  await recorder.show(700);
  await recorder.press('2', 900);
  await recorder.click(page.getByRole('button', { name: /^Keep take 2/ }).last(), 1_000);
}

async function schedule(studio: PictureStudio, recorder: Recorder): Promise<void> {
  const { page } = studio;
  await go(studio, 'storyboard');
  await recorder.show(500);
  await recorder.click(page.getByRole('button', { name: 'Schedule tonight' }).first(), 1_000);
  await recorder.click(page.getByRole('button', { name: /^Schedule run/, disabled: false }), 800);
  await studio.takeOf('She watches the lights', true);
  await studio.takeOf('Push in to the deck lamp', true);
  await studio.enqueue(
    NIGHT_STILLS.map((prompt) => ({ kind: 'imagine', prompt: prompt.replace('--seed 3', '--seed 4') })),
    true,
  );
  await go(studio, 'queue/night');
  await wait(2_000);
  await recorder.show(2_000);
}
