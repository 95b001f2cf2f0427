/** The film and position in the address of a PUT; undefined if it names no film. */
export function filmPieceFrom(fields: URLSearchParams): { taskId: string; at: number } | undefined {
  const taskId = fields.get('film');
  if (taskId === null) return undefined;
  const at = fields.get('at') ?? '';
  return { taskId, at: /^\d{1,15}$/.test(at) ? Number(at) : Number.NaN };
}
