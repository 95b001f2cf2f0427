/** Formats numbers and times: units with a space, no rounding to look tidy. */

import { formatLength } from '../../shared/contract/duration.ts';
import { formatLocale, t } from '../../shared/text/texts.ts';

export { formatBytes } from '../../shared/text/bytes.ts';
export { formatCount, plural } from '../../shared/text/texts.ts';
export { formatLength };

/** `8 s`, `6.04 s`, `1:05`, `2:59:34`. */
export const formatSeconds = (seconds: number): string =>
  seconds >= 60 ? formatLength(Math.floor(seconds)) : `${Number(seconds.toFixed(2))} s`;

const clock = new Intl.DateTimeFormat(formatLocale(), { hour: '2-digit', minute: '2-digit' });
const clockSeconds = new Intl.DateTimeFormat(formatLocale(), { hour: '2-digit', minute: '2-digit', second: '2-digit' });
const weekday = new Intl.DateTimeFormat(formatLocale(), { weekday: 'short' });
const dayMonth = new Intl.DateTimeFormat(formatLocale(), { day: 'numeric', month: 'short' });
const longDay = new Intl.DateTimeFormat(formatLocale(), { weekday: 'long', day: 'numeric', month: 'long' });

/** A level with a real minus sign and all its decimals, or the given number of them. */
export const formatLevel = (level: number, decimals?: number): string =>
  (decimals === undefined ? String(level) : level.toFixed(decimals)).replace('-', '−');

/** A difference with its sign. */
export const formatStep = (step: number, unit?: 'dB' | 'LU'): string =>
  `${step < 0 ? '' : '+'}${formatLevel(step, 1)}${unit ? ` ${unit}` : ''}`;

export const formatClock = (at: number): string => clock.format(at);
export const formatClockSeconds = (at: number): string => clockSeconds.format(at);

/** The start of the local day of `at`. */
export function startOfDay(at: number): number {
  return new Date(at).setHours(0, 0, 0, 0);
}

const DAY = 86_400_000;

/** In local days, which have 23 or 25 hours when the clock is changed. */
const daysBefore = (at: number, now: number): number => Math.round((startOfDay(now) - startOfDay(at)) / DAY);

/** In a list: `07:38` today, `Fri` within a week, `17 Nov` before, with the year where it is another. */
export function formatWhen(at: number, now: number): string {
  const days = daysBefore(at, now);
  if (days === 0) return clock.format(at);
  if (days > 0 && days <= 6) return weekday.format(at);
  return sameYear(at, now) ? dayMonth.format(at) : `${dayMonth.format(at)} ${new Date(at).getFullYear()}`;
}

const sameYear = (a: number, b: number): boolean => new Date(a).getFullYear() === new Date(b).getFullYear();

/** `Sat 21 Nov 07:42`, with the year if it is another one: `Fri 24 Nov 2023 05:34`. */
export function formatStamp(at: number, now = Date.now()): string {
  return `${formatDate(at, now)} ${clock.format(at)}`;
}

/** `Sat 21 Nov`, with the year if it is another one. */
export function formatDate(at: number, now = Date.now()): string {
  const day = `${weekday.format(at)} ${dayMonth.format(at)}`;
  return sameYear(at, now) ? day : `${day} ${new Date(at).getFullYear()}`;
}

/** A heading for a day: `Today`, `Yesterday`, `Friday 20 November`. */
export function formatDay(at: number, now: number): string {
  const days = daysBefore(at, now);
  if (days === 0) return t`Today`;
  if (days === 1) return t`Yesterday`;
  const name = longDay.format(at).replace(',', '');
  return sameYear(at, now) ? name : `${name} ${new Date(at).getFullYear()}`;
}

/** A duration that counts: `0:41`, `12:05`, `1:02:09`. */
export const formatSpan = (ms: number): string => formatLength(Math.max(0, ms / 1_000));

const utcDay = new Intl.DateTimeFormat(formatLocale(), { timeZone: 'UTC', day: 'numeric', month: 'short' });
const utcDayOfYear = new Intl.DateTimeFormat(formatLocale(), {
  timeZone: 'UTC',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
});

/** `1 Dec`, with the year if it is another one: the day in UTC, as gateways state it. */
export const formatUtcDay = (at: number, now: number): string =>
  (new Date(at).getUTCFullYear() === new Date(now).getUTCFullYear() ? utcDay : utcDayOfYear).format(at);
