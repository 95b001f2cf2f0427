const READABLE = /[^\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/u;

/** Nothing in it can be read: white space, control characters and invisible ones alone. Such an order would be paid for all the same. */
export const isBlank = (text: string): boolean => !READABLE.test(text);
