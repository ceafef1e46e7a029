/**
 * The network address of who sends a request: the one that the nearest untrusted party has, as trusted proxies tell it.
 *
 * Express works out which entries of `X-Forwarded-For` to believe, by its setting `trust proxy`. Without that setting it is the
 * address at the other end of the connection.
 */
import { isIP, SocketAddress } from 'node:net';
import type { Request } from 'express';

/**
 * The address a request comes from, in its canonical form: IPv4 also where it was mapped into IPv6. Absent when the connection is
 * gone already.
 */
export function readClientAddress(request: Request): string | undefined {
  // What a trusted proxy reports may be no address, such as "unknown": then the party that reported it counts.
  for (const told of [...request.ips, request.socket.remoteAddress ?? '']) {
    const address = toAddress(told);
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
