import { fileNameOf } from './fileNames.ts';

/** The values of a media name pattern for one shot. */
export interface NamedMedia {
  project: string;
  title: string;
  model: string;
  seed: number | undefined;
  shot: number;
  take: number;
}

/** The name of a shot's file without extension; unknown words of the pattern (`MEDIA_NAME_PATTERN`) stay. */
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
