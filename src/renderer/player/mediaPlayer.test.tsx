import { beforeEach, expect, test, vi } from 'vitest';
import { labels } from '../../../test/labels.ts';
import { acting, byText, click, fakeStudio, press, show, until } from '../testing/page.tsx';
import { MediaPlayer } from './MediaPlayer.tsx';

/** What jsdom's element lacks: a length, playing until paused, and an end. */
class FakeMedia {
  duration = Number.NaN;
  paused = true;
  ended = false;
  error: unknown = null;
  playbackRate = 1;
  currentTime = 0;
}
const fakes = new WeakMap<HTMLMediaElement, FakeMedia>();
const fakeOf = (element: HTMLMediaElement): FakeMedia => {
  const fake = fakes.get(element) ?? new FakeMedia();
  fakes.set(element, fake);
  return fake;
};
const FIELDS = ['duration', 'paused', 'ended', 'error', 'playbackRate', 'currentTime'] as const;
for (const name of FIELDS)
  Object.defineProperty(HTMLMediaElement.prototype, name, {
    configurable: true,
    get(this: HTMLMediaElement) {
      return fakeOf(this)[name];
    },
    set(this: HTMLMediaElement, value: never) {
      fakeOf(this)[name] = value;
    },
  });
HTMLMediaElement.prototype.play = async function play() {
  fakeOf(this).paused = false;
};
HTMLMediaElement.prototype.pause = function pause() {
  fakeOf(this).paused = true;
};

const media = () => document.querySelector('video, audio') as HTMLMediaElement;
const slider = () => byText(labels.timeOf('Harbour'), '[role="slider"]');
const time = () => byText(labels.time, '[role="timer"]').textContent;
const say = (type: string, facts: Partial<FakeMedia> = {}) =>
  acting(() => {
    Object.assign(fakeOf(media()), facts);
    media().dispatchEvent(new Event(type));
  });

const instead = <p>It cannot be played.</p>;
const clip = { url: '/media/a', mime: 'video/mp4', name: 'Harbour', fps: 24, instead };

beforeEach(() => {
  fakeStudio({});
  Object.defineProperty(HTMLVideoElement.prototype, 'videoWidth', { configurable: true, get: () => 1_280 });
});

test('every control works by key, and the browser’s own are not there', async () => {
  await show(<MediaPlayer {...clip} />);
  await say('loadedmetadata', { duration: 4 });
  expect([media().controls, time()]).toEqual([false, '0:00 of 0:04, frame 0']);
  await press('.');
  await press('.');
  await press(',');
  expect([time(), media().currentTime]).toEqual(['0:00 of 0:04, frame 1', 1.5 / 24]);
  await press('k');
  expect([media().paused, byText(labels.pause).textContent]).toEqual([false, '']);
  await press(' ');
  expect(media().paused).toBe(true);
  await press('l');
  await press('l');
  expect([media().playbackRate, document.querySelector('.view')?.textContent]).toEqual([2, '0:00 of 0:04, frame 12 ×']);
  await press('k');
  await press('M', { shiftKey: true });
  expect([media().muted, byText(labels.mute).getAttribute('aria-pressed')]).toEqual([true, 'true']);
  await press('M', { shiftKey: true });
  await press('L', { shiftKey: true });
  expect(byText(labels.loop).getAttribute('aria-pressed')).toBe('false');
  await press('L', { shiftKey: true });
  const full = vi.fn(async () => undefined);
  Element.prototype.requestFullscreen = full;
  await press('f');
  expect(full).toHaveBeenCalledTimes(1);
});

test('J plays backwards, twice as fast when it is pressed again, and stands at the begin', async () => {
  await show(<MediaPlayer {...clip} />);
  await say('loadedmetadata', { duration: 4 });
  await press('ArrowRight', {}, slider());
  await press('j');
  await press('j');
  expect([media().paused, document.querySelector('.view')?.textContent?.endsWith('−2 ×')]).toEqual([true, true]);
  await until(() => byText(labels.play));
  expect([time(), media().currentTime]).toEqual(['0:00 of 0:04, frame 0', 0.5 / 24]);
});

test('the time is a slider with its own words, moved by its keys', async () => {
  await show(<MediaPlayer {...clip} />);
  await say('loadedmetadata', { duration: 4 });
  const bar = slider();
  expect([bar.tabIndex, bar.getAttribute('aria-valuemax'), bar.getAttribute('aria-valuetext')]).toEqual([
    0,
    '4',
    '0:00 of 0:04, frame 0',
  ]);
  await press('ArrowRight', {}, bar);
  await press('ArrowRight', {}, bar);
  expect(bar.getAttribute('aria-valuetext')).toBe('0:02 of 0:04, frame 48');
  await press('End', {}, bar);
  expect(bar.getAttribute('aria-valuetext')).toBe('0:03 of 0:04, frame 95');
  await press('Home', {}, bar);
  expect(media().currentTime).toBe(0.5 / 24);
});

test('a file that says it is endless is as long as it turns out to be, and stands at its beginning', async () => {
  await show(<MediaPlayer {...clip} />);
  await say('loadedmetadata', { duration: Number.POSITIVE_INFINITY });
  expect([time(), media().currentTime]).toEqual(['0:00, frame 0', 1e9]);
  await say('durationchange', { duration: 7, currentTime: 7 });
  expect([time(), media().currentTime, slider().getAttribute('aria-valuemax')]).toEqual([
    '0:00 of 0:07, frame 0',
    0.5 / 24,
    '7',
  ]);
});

test('a length that is known beside an endless file is taken, and one that ends earlier is as long as it played', async () => {
  await show(<MediaPlayer {...clip} seconds={9} />);
  await say('loadedmetadata', { duration: Number.POSITIVE_INFINITY });
  expect([time(), media().currentTime]).toEqual(['0:00 of 0:09, frame 0', 0.5 / 24]);
  await say('ended', { currentTime: 5 });
  expect(time()).toBe('0:00 of 0:05, frame 0');
});

test('what cannot be decoded says so in place of the picture, with nothing to press that does nothing', async () => {
  await show(<MediaPlayer {...clip} />);
  await say('error', { error: { code: 4 } });
  expect(document.body.textContent).toBe('It cannot be played.');
  expect(document.querySelectorAll('video, button, [role="slider"]')).toHaveLength(0);
});

test('a clip whose picture the window does not know says that only its sound is played; a sound has no picture', async () => {
  Object.defineProperty(HTMLVideoElement.prototype, 'videoWidth', { configurable: true, get: () => 0 });
  await show(<MediaPlayer {...clip} />);
  await say('loadedmetadata', { duration: 4 });
  expect(document.body.textContent).toContain('Only its sound can be played here.');
  await show(<MediaPlayer {...clip} mime="audio/wav" />);
  await say('loadedmetadata', { duration: 4 });
  expect([media().tagName, time()]).toEqual(['AUDIO', '0:00 of 0:04']);
  expect(document.body.textContent).not.toContain('Only its sound');
});

test('it begins again at its end while Loop is on, and stands there when it is off', async () => {
  await show(<MediaPlayer {...clip} />);
  await say('loadedmetadata', { duration: 4 });
  await press('k');
  await say('ended', { ended: true, currentTime: 4 });
  await until(() => expect(media().currentTime).toBe(0));
  Object.assign(fakeOf(media()), { ended: false });
  await click(byText(labels.loop));
  await say('ended', { ended: true, currentTime: 4 });
  await until(() => byText(labels.play));
  expect(media().paused).toBe(true);
  await click(byText(labels.loop));
});
