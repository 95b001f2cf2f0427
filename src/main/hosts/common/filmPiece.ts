/** Where a piece of a film goes, from the address of its PUT; undefined if the address names no film. */
export function filmPieceFrom(fields: URLSearchParams): { taskId: string; at: number } | undefined {
  const taskId = fields.get('film');
  if (taskId === null) return undefined;
  const at = fields.get('at') ?? '';
  return { taskId, at: /^\d{1,15}$/.test(at) ? Number(at) : Number.NaN };
}
