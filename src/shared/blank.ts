const READABLE = /[^\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/u;

/**
 * Whether a text has nothing readable: only white space, control and invisible characters. A request with it would be paid for all the
 * same.
 */
export const isBlank = (text: string): boolean => !READABLE.test(text);
