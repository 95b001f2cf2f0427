import { expect, test, vi } from 'vitest';
import { SoundOutput } from '../../../player/soundOutput.ts';
import { Screen } from './screens.ts';

const clip = { shotId: 's1', start: 0, seconds: 2, url: '/media/a' };

/** A video element that shows what the test says. */
function screenWithFrames() {
  const state = { currentTime: 0, seeking: false };
  let told: VideoFrameRequestCallback = () => undefined;
  vi.spyOn(HTMLMediaElement.prototype, 'pause').mockImplementation(() => undefined);
  const requestVideoFrameCallback = (next: VideoFrameRequestCallback): number => {
    told = next;
    return 1;
  };
  Object.assign(HTMLVideoElement.prototype, { requestVideoFrameCallback });
  const none = () => undefined;
  const screen = new Screen(new SoundOutput(), { onReady: none, onEnded: none, onFault: none });
  for (const name of ['currentTime', 'seeking'] as const)
    Object.defineProperty(screen.element, name, {
      get: () => state[name],
      set: (value) => Object.assign(state, { [name]: value }),
    });
  const tell = (mediaTime: number) =>
    told(0, { mediaTime, expectedDisplayTime: performance.now() } as VideoFrameCallbackMetadata);
  return { screen, state, tell };
}

test('a frame from before a seek does not end the clip that begins again', () => {
  const { screen, state, tell } = screenWithFrames();
  screen.show(clip, 0);
  state.currentTime = 1.9;
  tell(47 / 24);
  expect(screen.left(2)).toBeLessThan(0.1);
  screen.show(clip, 1);
  state.seeking = true;
  tell(47 / 24);
  expect(screen.left(2)).toBeGreaterThan(0.9);
  // The sought frame is reported too while seeking.
  tell(1);
  state.seeking = false;
  expect(screen.left(2)).toBeCloseTo(1, 1);
});

test('a clip that turns out to be broken while a place is held is broken when it is shown again', () => {
  const { screen } = screenWithFrames();
  screen.show(clip, 0);
  screen.show({ shotId: 's2', start: 2, seconds: 2 }, 0);
  screen.element.dispatchEvent(new Event('error'));
  expect([screen.isFaulty, screen.isReady]).toEqual([false, true]);
  screen.show(clip, 0);
  expect([screen.isFaulty, screen.isReady]).toEqual([true, true]);
});
