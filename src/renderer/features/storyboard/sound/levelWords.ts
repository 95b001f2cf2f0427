import { t } from '../../../../shared/texts.ts';

/** `−23.0` with a minus sign of its own width. */
export const lufsWords = (lufs: number): string => lufs.toFixed(1).replace('-', '−');

/** How much, whatever the direction. */
export const dbWords = (by: number): string => t`${Math.abs(by).toFixed(1)} dB`;
