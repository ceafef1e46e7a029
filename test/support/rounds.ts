/** How often a drill repeats what it does: a few times in the other lanes, and often in `npm run test:long`. */

/** Whether the tests run for `npm run test:long`. */
export const isLong = process.env.COLOPHON_LONG_TESTS === 'true';

/** Returns the number of rounds for the command that runs the tests. */
export const roundsOf = ({ usual, long }: { usual: number; long: number }): number => (isLong ? long : usual);
