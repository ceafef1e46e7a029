/**
 * The times of live feeds.
 */

/** How often the log is asked, and how many times as long as a round the pause after it is at least. */
export interface RoundTiming {
  readonly roundMs: number;
  readonly pauseFactor: number;
}

/** When streams are looked after. */
export interface LiveTiming extends RoundTiming {
  /** The longest time without anything sent. */
  readonly heartbeatMs: number;
  /** How often streams are checked: whether they are still allowed, are read, and need a heartbeat. */
  readonly checkMs: number;
  /** How long a follower may read nothing. */
  readonly unreadMs: number;
}

/** The times of servers. */
export const usualTiming: LiveTiming = {
  roundMs: 100,
  pauseFactor: 5,
  heartbeatMs: 15_000,
  checkMs: 200,
  unreadMs: 30_000,
};
