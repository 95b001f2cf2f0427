/** Whether a status refuses for want of a right, which may be that of a key or of a link. */
export const isDenied = (status: number | undefined): boolean => status === 401 || status === 403;
