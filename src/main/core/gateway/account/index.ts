/** The account behind a key: its balance, its prices, its models, and whether the connection works. */

export { accountBalance } from './balance.ts';
export { listPrices } from './priceList.ts';
export { hasRecord, recordedCost } from './recordedCost.ts';
export { testConnection } from './testConnection.ts';
