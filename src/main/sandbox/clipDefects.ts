/** A defect that a fault script puts into a clip. Gateways deliver such clips, and bill them. Times are seconds of the clip. */
export interface ClipDefect {
  what: DefectKind;
  /** Its start; default 0. */
  from?: number | undefined;
  /** Its end; default the end of the clip. */
  to?: number | undefined;
}

/**
 * `black`: black frames. `frozen`: its first frame stays. `doubled`: every second frame repeats the one before. `cut`: a negative of the
 * scene from its start on. `shifted`: too light. `silence`: no sound. `clipping`: sound far above full scale.
 */
export const DEFECTS = ['black', 'frozen', 'doubled', 'cut', 'shifted', 'silence', 'clipping'] as const;
export type DefectKind = (typeof DEFECTS)[number];
