/** A job's request as it was last sent, kept byte by byte. */
export interface StoredRequest {
  /** The first time a request was sent under this key. */
  at: number;
  bytes: number;
  /** The idempotency key, shortened. */
  key: string;
  /** The profile's address at that time. */
  baseUrl: string;
  /** API key, bot token or extra headers have changed since it was sent. */
  otherAccount?: true;
  /** The clock was set back since it was first sent: its age is unknown. */
  clockSetBack?: true;
}
