/** Where the hash list of a folder is (ASC MHL): it is no file of the user's. */
export const HASH_LIST_FOLDER = 'ascmhl';
