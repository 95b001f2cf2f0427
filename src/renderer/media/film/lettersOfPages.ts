import inter from '../../../../resources/fonts/inter-latin-opsz.woff2?url';

let loading: Promise<unknown> | undefined;

/**
 * Loads the letters of the pages, so that words and slates are drawn as they were shown. Without them a film is made in those of the
 * machine, and none is refused.
 */
export function loadLetters(): Promise<unknown> {
  loading ??= new FontFace('Inter', `url("${inter}") format("woff2")`, { weight: '100 900' })
    .load()
    .then((face) => document.fonts.add(face))
    .catch(() => undefined);
  return loading;
}
