/** The request's own field names, which tables and JSON lines may use for our columns. */
const ALIASES: Readonly<Record<string, string>> = {
  durationSeconds: 'seconds',
  aspectRatio: 'aspect',
  referenceImages: 'references',
  lastFrame: 'last_frame',
  generateAudio: 'audio',
  sampleCount: 'samples',
};

const BY_KEY = new Map(Object.entries(ALIASES).map(([field, column]) => [field.toLowerCase(), column]));

/** The column that a field of a request fills, or the name itself. */
export const columnOfField = (name: string): string => (Object.hasOwn(ALIASES, name) && ALIASES[name]) || name;

/** The same for a name in lower case as a table has it, however its words are parted. */
export const columnOfHeader = (name: string): string => BY_KEY.get(name.replace(/[\s_-]/g, '')) ?? name;
