/** What a scripted fault spoils in a clip: a service delivers such clips, and bills them. Times are seconds of the clip. */
export interface ClipDefect {
  what: DefectKind;
  /** Where it begins; 0 if not given. */
  from?: number | undefined;
  /** Where it ends; the end of the clip if not given. */
  to?: number | undefined;
}

/**
 * `black`: black frames. `frozen`: its first frame stands. `doubled`: every second frame is the one before it. `cut`: from there on a negative
 * of the scene. `shifted`: lighter than it should be. `silence`: no sound. `clipping`: sound far beyond full scale.
 */
export const DEFECTS = ['black', 'frozen', 'doubled', 'cut', 'shifted', 'silence', 'clipping'] as const;
export type DefectKind = (typeof DEFECTS)[number];
