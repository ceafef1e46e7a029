/**
 * Makes a server listen on the configured address.
 */
import type { AddressInfo, Server } from 'node:net';
import type { Config } from '../config/config.ts';

/** Listens on the configured address and returns its URL. Errors: those of the operating system, such as EADDRINUSE. */
export function listen(server: Server, { host, port }: Pick<Config, 'host' | 'port'>): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, () => {
      server.removeListener('error', reject);
      const { address, port, family } = server.address() as AddressInfo; // A TCP server has no other kind.
      resolve(`http://${family === 'IPv6' ? `[${address}]` : address}:${port}`);
    });
  });
}
