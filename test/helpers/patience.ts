/** What is waited for comes, however busy the machine is (a clip may have to be encoded first): this limit only ends what never would. */
export const PATIENCE_MS = 300_000;
