/** The limit for waits that always end, however busy the machine is (a clip may have to be encoded first). */
export const PATIENCE_MS = 300_000;
