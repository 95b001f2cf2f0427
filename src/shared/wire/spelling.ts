export const snakeName = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** A field's name as a dialect spells it. */
export const spelled = (name: string, { fieldCase }: { fieldCase: 'camel' | 'snake' }): string =>
  fieldCase === 'snake' ? snakeName(name) : name;
