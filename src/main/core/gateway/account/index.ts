/** The account behind a key: its balance, its prices, its models, and whether the connection works. */

export { accountBalance } from './balance.ts';
export { foundSettings } from './foundSettings.ts';
export { hasRecord, recordedCost } from './freeAnswers.ts';
export { tryImageHeaders, untriedHeaders } from './keyCheck.ts';
export { readModels } from './modelList.ts';
export { listPrices } from './priceList.ts';
export { testConnection } from './testConnection.ts';
