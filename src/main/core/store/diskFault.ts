/** Whether an error is one of the disk, by SQLite (`SQLITE_FULL`, `SQLITE_IOERR_WRITE` …) or of a file; such errors pass when there is space again. */
export function isDiskFault(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return /^SQLITE_(FULL|IOERR|BUSY|CANTOPEN)/.test(code) || ['ENOSPC', 'EDQUOT', 'EIO'].includes(code);
}
