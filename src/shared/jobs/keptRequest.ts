/** The request of a job as it was sent last and is kept, to the byte. */
export interface KeptRequest {
  /** When a request under this key was sent first. */
  at: number;
  /** The length of its body. */
  bytes: number;
  /** The idempotency key, shortened. */
  key: string;
  /** The profile's address at that time. */
  baseUrl: string;
  /** Another API key, bot token or extra header is set now than the one it was sent with. */
  otherAccount?: true;
  /** The clock of this machine was set back since it was sent first, so nobody knows how long ago that was. */
  clockSetBack?: true;
}
