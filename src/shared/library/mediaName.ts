import { fileNameOf } from './fileNames.ts';

/** What a pattern of media names stands for, of one shot. */
export interface NamedMedia {
  project: string;
  title: string;
  model: string;
  seed: number | undefined;
  /** Counts from 1. */
  shot: number;
  take: number;
}

/** The name of a shot's file, without its extension: words of the pattern (`MEDIA_NAME_PATTERN`) that are not known stay as written. */
export function mediaNameOf(pattern: string, { project, title, model, seed, shot, take }: NamedMedia): string {
  const words: Readonly<Record<string, string>> = {
    project: fileNameOf(project),
    title: fileNameOf(title, 'untitled'),
    model: fileNameOf(model, 'model'),
    seed: String(seed ?? ''),
  };
  const numbers = [shot, take];
  const filled = pattern.replace(/\{(\w{1,20})\}/g, (written, word: string) => {
    if (!/^\d+$/.test(word)) return Object.hasOwn(words, word) ? (words[word] ?? '') : written;
    const isShot = numbers.length === 2;
    const value = numbers.shift() ?? 0;
    const inTens = isShot && word.length > 1 && word.endsWith('0');
    return String(inTens ? value * 10 : value).padStart(word.length, '0');
  });
  return fileNameOf(filled, 'shot');
}
