/** A TCP port of the loopback interface that nobody listens on. */
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Finds one; another process may take it before it is used. */
export async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (typeof address !== 'object' || address === null) throw new Error('A TCP server has a port');
  return address.port;
}
