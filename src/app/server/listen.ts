/**
 * Makes a server listen on the configured address.
 */
import type { AddressInfo, Server } from 'node:net';
import { badConfig } from '../../base/errors.ts';
import type { Config } from '../config/config.ts';

/** Listens on the configured address and returns its URL. Errors: bad_config, for an address that cannot be had. */
export function listen(server: Server, { host, port }: Pick<Config, 'host' | 'port'>): Promise<string> {
  return new Promise((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException) => {
      const { setting = '', message = '' } = problems({ host, port })[error.code ?? ''] ?? {};
      reject(setting === '' ? error : badConfig([{ path: setting, message: `${message} (${error.code})` }]));
    };
    server.once('error', fail);
    server.listen({ host, port }, () => {
      server.removeListener('error', fail);
      const { address, port, family } = server.address() as AddressInfo; // A TCP server has no other kind.
      resolve(`http://${family === 'IPv6' ? `[${address}]` : address}:${port}`);
    });
  });
}

/** Why an address cannot be had, by the code of the operating system, and the setting that would change it. */
const problems = ({
  host,
  port,
}: Pick<Config, 'host' | 'port'>): Readonly<Record<string, { setting: string; message: string }>> => ({
  EACCES: { setting: 'COLOPHON_PORT', message: `is ${port}, which this user may not open` },
  EADDRINUSE: { setting: 'COLOPHON_PORT', message: `is ${port}, which another program uses at ${host}` },
  EADDRNOTAVAIL: { setting: 'COLOPHON_HOST', message: `is ${host}, which is no address of this machine` },
  ENOTFOUND: { setting: 'COLOPHON_HOST', message: `is ${host}, which has no address` },
});
