import type { Random } from '../random.ts';
import type { Pen } from './drawing.ts';

interface Streak {
  x: number;
  y: number;
  length: number;
  speed: number;
}

/** What falls in front of the lens. Streaks have three depths, so that a frame takes three strokes only. */
export interface Weather {
  width: number;
  height: number;
  kind: 'rain' | 'snow' | 'none';
  /** Pixels sideways per pixel of fall. */
  slant: number;
  depths: { streaks: Streak[]; alpha: number; thickness: number }[];
}

export const CALM: Weather = { width: 0, height: 0, kind: 'none', slant: 0, depths: [] };

/** `amount` 1 is a downpour. */
export function rainfall(random: Random, width: number, height: number, amount: number, slant = 0.12): Weather {
  const unit = Math.min(height, width) / 720;
  const depths = [0, 1, 2].map((depth) => ({
    alpha: 0.1 + depth * 0.1,
    thickness: (0.6 + depth * 0.5) * unit,
    streaks: Array.from({ length: Math.round(amount * (170 - depth * 45) * (width / 1280 + 0.15)) }, () => ({
      x: random(),
      y: random(),
      length: (16 + 15 * depth) * (0.5 + random()) * unit,
      speed: (620 + 330 * depth) * (0.85 + 0.3 * random()) * unit,
    })),
  }));
  return { width, height, kind: 'rain', slant, depths };
}

export function snowfall(random: Random, width: number, height: number, amount: number): Weather {
  const unit = Math.min(height, width) / 720;
  const depths = [0, 1, 2].map((depth) => ({
    alpha: 0.35 + depth * 0.2,
    thickness: 1,
    streaks: Array.from({ length: Math.round(amount * (190 - depth * 60)) }, () => ({
      x: random(),
      y: random(),
      length: (0.9 + depth * 1.1) * (0.6 + 0.8 * random()) * unit,
      speed: (38 + 44 * depth) * (0.7 + 0.6 * random()) * unit,
    })),
  }));
  return { width, height, kind: 'snow', slant: 0.3, depths };
}

/** `strength` fades it in, since the first frame must stay as it was sent. */
export function drawWeather(pen: Pen, weather: Weather, second: number, strength = 1): void {
  if (weather.kind === 'none' || strength <= 0) return;
  for (const depth of weather.depths) {
    pen.beginPath();
    for (const streak of depth.streaks) {
      if (weather.kind === 'rain') addStreak(pen, weather, streak, second);
      else addFlake(pen, weather, streak, second);
    }
    const alpha = depth.alpha * strength;
    if (weather.kind === 'rain') {
      pen.lineCap = 'round';
      pen.lineWidth = depth.thickness;
      pen.strokeStyle = `rgba(200,214,220,${alpha})`;
      pen.stroke();
    } else {
      pen.fillStyle = `rgba(236,242,246,${alpha})`;
      pen.fill();
    }
  }
}

function addStreak(pen: Pen, { width, height, slant }: Weather, streak: Streak, second: number): void {
  const span = height + streak.length * 2;
  const fallen = streak.y * span + streak.speed * second;
  const y = (fallen % span) - streak.length;
  const round = Math.floor(fallen / span);
  const x = ((streak.x + round * 0.381966) % 1) * width * (1 + slant) - y * slant + height * slant * 0.5;
  pen.moveTo(x, y);
  pen.lineTo(x - streak.length * slant, y + streak.length);
}

function addFlake(pen: Pen, { width, height, slant }: Weather, flake: Streak, second: number): void {
  const span = height + 20;
  const fallen = flake.y * span + flake.speed * second;
  const y = (fallen % span) - 10;
  const sway = Math.sin(second * 0.9 + flake.x * 40) * 14 * flake.length * 0.4;
  const x = (((flake.x * width + fallen * slant + sway) % width) + width) % width;
  pen.moveTo(x + flake.length, y);
  pen.arc(x, y, flake.length, 0, 2 * Math.PI);
}
