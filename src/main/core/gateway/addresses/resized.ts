/**
 * The address among these of the same file in full, where this one asks for it in another size: Discord resizes by `width` and `height`
 * (docs.acedata.cloud, Midjourney: `image_url` is the thumbnail, `raw_image_url` the original).
 */
export function originalOf(address: string, others: readonly string[]): string {
  if (!isResized(address)) return address;
  const file = withoutSize(address);
  return others.find((other) => !isResized(other) && withoutSize(other) === file) ?? address;
}

const isResized = (address: string): boolean => /^https?:/i.test(address) && /[?&](width|height)=\d/.test(address);

function withoutSize(address: string): string {
  const url = /^https?:/i.test(address) ? URL.parse(address) : null;
  if (!url) return address;
  const kept = [...url.searchParams].filter(([name]) => name !== 'width' && name !== 'height');
  return `${url.origin}${url.pathname}?${new URLSearchParams(kept)}`;
}
