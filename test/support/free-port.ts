/** Finds unused TCP ports of the loopback interface. */
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Finds a free port; another process may take it before the caller uses it. */
export async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (typeof address !== 'object' || address === null) throw new Error('A TCP server has a port');
  return address.port;
}
