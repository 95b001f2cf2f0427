/** Whether an error is one of the disk, by SQLite (`SQLITE_FULL`, `SQLITE_IOERR_WRITE` …) or of a file; such errors pass when there is space again. */
export function isDiskFault(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return /^SQLITE_(FULL|IOERR|BUSY|CANTOPEN)/.test(code) || ['ENOSPC', 'EDQUOT', 'EIO'].includes(code);
}

/** What is put in order by the way of a question or a start: where it cannot be written, that goes on all the same. */
export function whereThereIsRoom(write: () => void): void {
  try {
    write();
  } catch (error) {
    if (!isDiskFault(error)) throw error;
  }
}
