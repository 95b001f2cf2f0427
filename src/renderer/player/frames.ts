/** Frames per second of every video that is made (spec 2.3). */
export const FPS = 24;

/** A range of playback, in seconds. */
export interface PlayRange {
  from: number;
  to: number;
}

/** The frame shown at a time; rounds up a little, since decoders' times are slightly off. */
export const frameAt = (seconds: number, fps: number = FPS): number => Math.floor(seconds * fps + 0.01);

/** The middle of a frame, which every decoder maps to that frame. */
export const timeOfFrame = (frame: number, fps: number = FPS): number => (frame + 0.5) / fps;

/** The time of a clip's last frame. */
export const lastFrameTime = (seconds: number): number => Math.max(0, seconds - 0.5 / FPS);

/** `00:00:14:07`: hours, minutes, seconds and the frame. */
export function timecode(seconds: number, fps: number = FPS): string {
  const rate = Math.max(1, Math.round(fps));
  const frames = Math.max(0, frameAt(seconds, rate));
  const whole = Math.floor(frames / rate);
  const parts = [whole / 3_600, (whole / 60) % 60, whole % 60, frames % rate];
  return parts.map((part) => String(Math.floor(part)).padStart(2, '0')).join(':');
}
