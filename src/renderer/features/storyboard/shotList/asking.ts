/** Of which list and film shots were asked for, and what their ids begin with. */
let asked: { of: string; id: string } | undefined;

/** What the ids of the shots begin with: the same for one list in one film until they are there, also where the import is left. */
export function idOfAsking(of: string): string {
  if (asked?.of !== of) asked = { of, id: crypto.randomUUID() };
  return asked.id;
}

export const forgetAsking = (): void => {
  asked = undefined;
};
