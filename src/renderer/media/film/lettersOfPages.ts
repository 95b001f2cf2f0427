import inter from '../../../../resources/fonts/inter-latin-opsz.woff2?url';

const FAMILY = 'Inter';

/**
 * Loads the letters of the pages, so that words and slates are drawn as they were shown. Without them a film is made in those of the
 * machine, and none is refused.
 */
export async function loadLetters(): Promise<void> {
  if ([...document.fonts].some(({ family }) => family === FAMILY)) return;
  const face = new FontFace(FAMILY, `url("${inter}") format("woff2")`, { weight: '100 900' });
  await face.load().then(
    () => document.fonts.add(face),
    () => undefined,
  );
}
