import { t } from './texts.ts';

/**
 * The service is asked to go on in a message of the user: the specification has no other way (spec 2.1 names no prefill, and services
 * differ in whether they go on with a last message that is their own).
 */
export const GO_ON = t`Go on exactly where your last answer was cut off. Repeat nothing, and add no introduction.`;
