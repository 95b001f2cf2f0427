import { ClipPlayer } from '../../../../../src/renderer/features/storyboard/player/clipPlayer.ts';
import styles from '../../../../../src/renderer/features/storyboard/player/player.module.css';
import type { PlayItem } from '../../../../../src/renderer/features/storyboard/player/playlist.ts';
import type { PlayerState } from '../../../../../src/renderer/player/player.ts';
import { LevelMeter, type SoundLevels } from '../../../../../src/renderer/player/soundOutput.ts';

/** The board's player alone, recording what was shown. */

/**
 * A shown frame: its file, media time in seconds, page time in ms, and the browser's count of presented frames, which a busy page may
 * report late or never.
 */
interface SeenFrame {
  url: string;
  mediaTime: number;
  at: number;
  presented: number;
}

interface Watched {
  newest: SeenFrame | undefined;
}

const host = Object.assign(document.createElement('div'), { className: `media ${styles.frame}` });
const room = Object.assign(document.createElement('div'), { className: `${styles.player}` });
room.style.cssText = 'width: 640px; height: 360px; display: grid';
room.append(host);
document.body.append(room);

/** What a viewer sees, in order: each frame of the element in front, and the frame of an element that comes to the front. */
function receiptsOf(parent: HTMLElement): SeenFrame[] {
  const seen: SeenFrame[] = [];
  const see = (video: HTMLVideoElement, frame: SeenFrame | undefined) => {
    const last = seen.at(-1);
    const isNew = frame && (last?.url !== frame.url || last.mediaTime !== frame.mediaTime);
    if (isNew && !video.hidden) seen.push({ ...frame, at: performance.now() });
  };
  for (const video of parent.querySelectorAll('video')) {
    const watched: Watched = { newest: undefined };
    const onFrame: VideoFrameRequestCallback = (at, { mediaTime, presentedFrames }) => {
      // During a seek a busy page reports an old frame first, then the right one.
      if (!video.seeking || Math.abs(mediaTime - video.currentTime) < 0.1) {
        watched.newest = { url: new URL(video.currentSrc).pathname, mediaTime, at, presented: presentedFrames };
        see(video, watched.newest);
      }
      video.requestVideoFrameCallback(onFrame);
    };
    video.requestVideoFrameCallback(onFrame);
    // Frames of an earlier file or position no longer count.
    for (const event of ['emptied', 'seeking'] as const)
      video.addEventListener(event, () => {
        watched.newest = undefined;
      });
    new MutationObserver(() => see(video, watched.newest)).observe(video, { attributeFilter: ['hidden'] });
  }
  return seen;
}

interface Played {
  frames: SeenFrame[];
  shots: string[];
  seconds: number;
  videos: number;
  /** How often the position was reported. */
  told: number;
  error?: string;
}

/** Makes the element report its frame by seeking to its position: a busy page may miss the last frames. */
async function standing(parent: HTMLElement): Promise<void> {
  const video = [...parent.querySelectorAll('video')].find(({ hidden, ended }) => !hidden && ended);
  if (!video) return;
  const told = new Promise<void>((resolve) => void video.requestVideoFrameCallback(() => resolve()));
  const { currentTime } = video;
  video.currentTime = currentTime;
  await told;
}

/** Plays a list to its end. */
function play(items: PlayItem[]): Promise<Played> {
  const player = new ClipPlayer(host);
  player.mute(true);
  const frames = receiptsOf(host);
  const shots: string[] = [];
  let told = 0;
  return new Promise((done) => {
    let was: PlayerState | undefined;
    const finish = async () => {
      const state = player.state();
      await standing(host);
      const { length: videos } = host.querySelectorAll('video');
      const played = { frames, shots, seconds: state.seconds, videos, told };
      player.dispose();
      host.replaceChildren();
      done({ ...played, ...(state.error === undefined ? {} : { error: state.error }) });
    };
    player.subscribe(() => {
      const state = player.state();
      told += 1;
      if (state.isPlaying && state.shotId !== undefined && state.shotId !== shots.at(-1)) shots.push(state.shotId);
      const isOver = was?.isPlaying && !state.isPlaying;
      was = state;
      if (isOver) queueMicrotask(() => void finish());
    });
    player.load(items);
    void firstSeen(items, frames).then(() => player.play(1));
  });
}

/** Waits for the first frame: a busy page that starts playing at once may report the second one first. */
async function firstSeen([first]: readonly PlayItem[], frames: readonly SeenFrame[]): Promise<void> {
  while (first?.url !== undefined && frames.length === 0) await new Promise(requestAnimationFrame);
}

/** Plays a list and measures at some seconds: sample peaks in dBFS and momentary loudness in LUFS. */
function hear(items: PlayItem[], times: number[]): Promise<SoundLevels[]> {
  const player = new ClipPlayer(host);
  const heard: SoundLevels[] = [];
  let hasPlayed = false;
  return new Promise((done) => {
    player.subscribe(() => {
      const { seconds, isPlaying } = player.state();
      const next = times[heard.length];
      if (next !== undefined && seconds >= next) heard.push(player.sound.levels());
      if (isPlaying || !hasPlayed) {
        hasPlayed ||= isPlaying;
        return;
      }
      hasPlayed = false;
      queueMicrotask(() => {
        player.dispose();
        host.replaceChildren();
        done(heard);
      });
    });
    player.load(items);
    player.play(1);
  });
}

/** The same clips without our player: one element that gets the next file when one ends. */
async function playSwapped(urls: readonly string[]): Promise<SeenFrame[]> {
  const video = document.createElement('video');
  video.muted = true;
  video.preload = 'auto';
  room.append(video);
  const frames = receiptsOf(room);
  for (const url of urls) {
    video.src = url;
    await video.play();
    await new Promise((done) => video.addEventListener('ended', done, { once: true }));
  }
  video.remove();
  return frames;
}

/** The levels of one second of a 1 kHz tone, on both sides or one channel. */
async function measureTone(dbfs: number, channels: number) {
  const context = new OfflineAudioContext(2, 48_000, 48_000);
  const tone = context.createBuffer(channels, 48_000, 48_000);
  const amplitude = 10 ** (dbfs / 20);
  for (let channel = 0; channel < channels; channel++) {
    const samples = tone.getChannelData(channel);
    for (let index = 0; index < samples.length; index++)
      samples[index] = amplitude * Math.sin((2 * Math.PI * 1_000 * index) / 48_000);
  }
  const source = context.createBufferSource();
  source.buffer = tone;
  const mix = context.createGain();
  mix.channelCount = 2;
  mix.channelCountMode = 'explicit';
  source.connect(mix).connect(context.destination);
  const meter = new LevelMeter(context, mix);
  source.start();
  await context.startRendering();
  return meter.levels();
}

Object.assign(window, { handles: { play, hear, playSwapped, measureTone } });
