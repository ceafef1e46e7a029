/**
 * The process of one server. It sends `{ url, headers }` to its parent process when it listens, and replies to each message with
 * its processor time. A message with a `body` sets the constant answer.
 */
import { startBare } from './bare.ts';
import { startColophon } from './colophon.ts';
import { createConstant } from './constant.ts';

const [kind = '', dataDir = ''] = process.argv.slice(2);
const constant = createConstant();
const starts: Readonly<Record<string, () => Promise<object>>> = {
  colophon: () => startColophon(dataDir),
  further: () => startColophon(dataDir, { isFurther: true }),
  uncached: () => startColophon(dataDir, { isFurther: true, routeCacheBytes: 0 }),
  bare: () => startBare(dataDir),
  express: constant.startExpress,
  plain: constant.startPlain,
};

process.on('message', ({ body }: { body?: string }) => {
  if (body !== undefined) constant.answerWith(body);
  const { user, system } = process.cpuUsage();
  process.send?.(user + system);
});
// Exits with its parent process.
process.once('disconnect', () => process.exit());
process.send?.(await starts[kind]?.());
