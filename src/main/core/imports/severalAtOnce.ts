/** So that one file is read while another is hashed or examined. */
const AT_ONCE = 4;

/** Does something with each item, a few at a time and in their order; where one answers false or fails, no further one is begun. */
export async function severalAtOnce<T>(items: readonly T[], work: (item: T) => Promise<boolean>): Promise<void> {
  const left = items.values();
  let goesOn = true;
  const worker = async (): Promise<void> => {
    for (const item of left) {
      if (!goesOn) return;
      const isDone = await work(item).catch((error) => {
        goesOn = false;
        throw error;
      });
      goesOn = isDone && goesOn;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}
