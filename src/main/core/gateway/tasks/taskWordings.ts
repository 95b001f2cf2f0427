/** For sentences as `wordsInNames` and `normalizeText` give them. */

/** The service does not know the task. */
export const UNKNOWN_TASK =
  /\b(not be|cannot be|not) found\b|\bnotfound\b|\b(not|doesnot) exist|\bdoesn t exist\b|\bno such\b|\bunknown (task|job|(operation|video|id)\b)|\bno (task|job|record)|\b(invalid|bad) ((task|job|operation|video) )?id\b|\binvalid (task|job)id\b|不存在|未找到/;

/** The result is not there yet. */
export const NOT_READY =
  /\bnot (yet )?((ready|done|generated)\b|complete|finish)|\b(is|still|currently) (in (the )?)?((progress|running|pending|queue)\b|process|queue|generat)|\bstill (being|render|upload)|\bbeing (generat|process|render|prepared\b|upload|queue)|生成中|处理中|未完成/;

/** What only the work itself does: an error that names it is no error of a poll. */
export const GENERATION = /\b(generation|generating|generate|inference|diffusion)\b|\brender|生成/;
