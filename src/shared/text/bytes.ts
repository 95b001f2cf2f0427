/** `24.6 MB`, in powers of ten. */
export function formatBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1_000 ** power;
  return `${power === 0 ? value : Number(value.toPrecision(value >= 100 ? 3 : value >= 10 ? 3 : 2))} ${units[power]}`;
}
