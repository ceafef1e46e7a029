/**
 * The network address of a client: the address nearest to the server that does not belong to a trusted proxy.
 *
 * Express decides which entries of `X-Forwarded-For` to trust, by its setting `trust proxy`. Without that setting the result is the
 * address of the peer of the connection.
 */
import { isIP, SocketAddress } from 'node:net';
import type { Request } from 'express';

/**
 * Reads the address of the client in canonical form; an IPv4 address that was mapped into IPv6 is returned as IPv4.
 * Returns `undefined` if the connection is already closed.
 */
export function readClientAddress(request: Request): string | undefined {
  // A trusted proxy may report something else than an address, such as "unknown"; then the address of the reporter is used.
  for (const reported of [...request.ips, request.socket.remoteAddress ?? '']) {
    const address = toAddress(reported);
    if (address !== undefined) return address;
  }
  return undefined;
}

/** Reads `192.0.2.1`, `192.0.2.1:4711`, `2001:db8::1` and `[2001:db8::1]:4711`. */
function toAddress(text: string): string | undefined {
  const bare = /^\[(.*)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
  const family = isIP(bare);
  if (family === 0) return undefined;
  if (family === 4) return bare;
  const { address } = new SocketAddress({ address: bare, family: 'ipv6' });
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(address)?.[1] ?? address;
}
