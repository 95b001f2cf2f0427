import { beforeEach, expect, test, vi } from 'vitest';
import { STILL } from '../../../player/player.ts';
import { SoundOutput } from '../../../player/soundOutput.ts';
import { TrackSound } from './trackSound.ts';

const playing = { ...STILL, isPlaying: true };
const track = { url: '/media/t', start: 2, end: 6, fileStart: 10, gains: [{ at: 0, gain: 0.5 }], layout: undefined };

/** The track's element: plays from its position; no sound is allowed yet. */
let audio: HTMLAudioElement;
beforeEach(() => {
  vi.stubGlobal(
    'AudioContext',
    class {
      resume = () => new Promise(() => undefined);
    },
  );
  vi.stubGlobal('Audio', function fake() {
    audio = document.createElement('audio');
    const state = { paused: true, currentTime: 0 };
    const set = (paused: boolean) => async () => void Object.assign(audio, { paused });
    for (const [name, value] of Object.entries(state)) Object.defineProperty(audio, name, { value, writable: true });
    return Object.assign(audio, { play: set(false), pause: set(true) });
  });
});

test('the track is heard at the time of the film, between its ends, and at normal speed alone', () => {
  const sound = new TrackSound(new SoundOutput());
  sound.load(track);
  sound.follow({ ...playing, seconds: 1 });
  expect(audio.paused).toBe(true);
  sound.follow({ ...playing, seconds: 3 });
  expect([audio.paused, audio.currentTime, audio.volume]).toEqual([false, 11, 0.5]);
  sound.follow({ ...playing, seconds: 3.05 });
  expect(audio.currentTime).toBe(11);
  sound.follow({ ...playing, seconds: 3.5 });
  expect(audio.currentTime).toBe(11.5);
  for (const state of [{ rate: 2 }, { rate: -1 }, { seconds: 6 }, { isPlaying: false }]) {
    sound.follow({ ...playing, seconds: 3.5 });
    sound.follow({ ...playing, seconds: 3.5, ...state });
    expect([state, audio.paused]).toEqual([state, true]);
  }
});

test('gains that change are heard at once; without a track nothing plays', () => {
  const sound = new TrackSound(new SoundOutput());
  sound.load(track);
  sound.follow({ ...playing, seconds: 3 });
  sound.load({ ...track, gains: [{ at: 0, gain: 0.25 }] });
  expect([audio.paused, audio.volume]).toEqual([false, 0.25]);
  sound.load(undefined);
  expect([audio.paused, audio.getAttribute('src')]).toEqual([true, null]);
});
