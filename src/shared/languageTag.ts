/** A BCP 47 tag of a language, with its script and its region: `de`, `pt-BR`, `zh-Hans`. */
export const LANGUAGE_TAG = /^[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$/;

/** A language made for trying, as other programs name it: English with accents, longer, in brackets, so that what is not in the catalogue is seen. */
export const PSEUDO_LANGUAGE = 'en-XA';
