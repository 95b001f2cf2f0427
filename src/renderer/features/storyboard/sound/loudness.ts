/** `−23.0` with a minus sign of its own width. */
export const lufsWords = (lufs: number): string => lufs.toFixed(1).replace('-', '−');

/** How much, whatever the direction. */
export const dbWords = (by: number): string => `${Math.abs(by).toFixed(1)} dB`;
