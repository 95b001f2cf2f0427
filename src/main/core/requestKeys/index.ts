export { earlierResult, type KeyedCall, keyedCall, onceByKey } from './requestKeys.ts';
