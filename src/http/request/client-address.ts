/**
 * The network address of a client: the address nearest to the server that does not belong to a trusted proxy.
 *
 * Without trusted proxies the result is the address of the peer of the connection.
 */
import { isIP, SocketAddress } from 'node:net';
import type { Request } from './http-request.ts';
import { maxListBytes } from './refuse-head.ts';

/** Tells whether the sender with this address is a trusted proxy; the peer of the connection has the number 0. */
export type TrustProxy = (address: string, hop: number) => boolean;

/**
 * Reads the address of the client in canonical form; an IPv4 address that was mapped into IPv6 is returned as IPv4.
 * Returns `undefined` if the connection is already closed.
 */
export function readClientAddress(request: Request, isTrusted: TrustProxy): string | undefined {
  // A trusted proxy may report something else than an address, such as "unknown"; then the address of the reporter is used.
  for (const reported of listSenders(request, isTrusted).reverse()) {
    const address = toAddress(reported);
    if (address !== undefined) return address;
  }
  return undefined;
}

/** Lists the peer of the connection, then the senders before it, up to the first that is not trusted. */
function listSenders({ socket, headers }: Request, isTrusted: TrustProxy): string[] {
  const peer = socket.remoteAddress ?? '';
  const forwarded = headers['x-forwarded-for']?.toString();
  // A longer list is refused.
  if (forwarded === undefined || forwarded.length > maxListBytes) return [peer];
  const reported = forwarded.split(',').map((text) => text.trim());
  const senders = [peer, ...reported.filter((text) => text !== '').reverse()];
  const client = senders.findIndex((sender, hop) => !isTrusted(sender, hop));
  return client < 0 ? senders : senders.slice(0, client + 1);
}

/** Reads `192.0.2.1`, `192.0.2.1:4711`, `2001:db8::1` and `[2001:db8::1]:4711`. */
function toAddress(text: string): string | undefined {
  const isPlain = isIP(text) === 4;
  const bare = isPlain
    ? text
    : (/^\[(.*)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text);
  const family = isPlain ? 4 : isIP(bare);
  if (family === 0) return undefined;
  if (family === 4) return bare;
  const { address } = new SocketAddress({ address: bare, family: 'ipv6' });
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(address)?.[1] ?? address;
}
