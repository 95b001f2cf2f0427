/** The code of an error of the system (`EROFS`) or of SQLite; empty for any other error. */
export const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '');

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** No room on the disk, or in a quota. */
export const isDiskFull = (error: unknown): boolean => ['ENOSPC', 'EDQUOT', 'SQLITE_FULL'].includes(codeOf(error));

/** The user may not write there, or the disk is read-only. */
export const isWriteProtected = (error: unknown): boolean => ['EACCES', 'EPERM', 'EROFS'].includes(codeOf(error));
