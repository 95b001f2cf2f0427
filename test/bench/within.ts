/** Awaits something, or throws an error that names it: no bench hangs. */
export async function within<T>(ms: number, what: string, wait: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`bench: after ${ms / 1_000} s ${what}.`)), ms);
  });
  try {
    return await Promise.race([wait, late]);
  } finally {
    clearTimeout(timer);
  }
}
