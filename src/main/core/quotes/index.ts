export { markOf, type Offer, QuoteBook } from './quoteBook.ts';
export { Quotes } from './quotes.ts';
