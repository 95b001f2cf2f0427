/** So that one file is read while another is hashed or examined. */
const AT_ONCE = 4;

/** Does something with each item, a few at a time and in their order; where one answers false, no further one is begun. */
export async function severalAtOnce<T>(items: readonly T[], work: (item: T) => Promise<boolean>): Promise<void> {
  const left = items.values();
  let goesOn = true;
  const worker = async (): Promise<void> => {
    for (const item of left) {
      if (!goesOn) return;
      goesOn = (await work(item)) && goesOn;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}
