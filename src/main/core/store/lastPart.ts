/** In SQL, what an id in a column ends with behind its last slash: `operations/abc` and `abc` are one. */
export const lastPartOf = (column: string): string =>
  `substr(${column}, length(rtrim(${column}, replace(${column}, '/', ''))) + 1)`;
