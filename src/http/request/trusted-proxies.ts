/**
 * The proxies whose `X-Forwarded-For` counts: how the setting is written. `client-address.ts` says what follows from it.
 */
import { isIP } from 'node:net';

/** How many proxies stand before the server, or the networks they are in; none when absent. */
export type TrustedProxies = number | readonly string[];

/** Names that Express knows for networks: `127.0.0.1/8` and `::1/128`, `169.254.0.0/16` and `fe80::/10`, the private networks. */
const networkNames = ['loopback', 'linklocal', 'uniquelocal'];

/** More than anybody has in a row. */
const maxHops = 32;

/** Reads the setting; a returned string is the reason why it will not do. */
export function readTrustedProxies(text: string): { readonly value: TrustedProxies } | string {
  if (/^\d+$/.test(text)) {
    const hops = Number(text);
    return hops <= maxHops ? { value: hops } : `must be at most ${maxHops} hops`;
  }
  const networks = text.split(',').map((network) => network.trim());
  const wrong = networks.find((network) => !isNetwork(network));
  if (wrong === undefined) return { value: networks };
  const names = networkNames.join(', ');
  return `must be a number of hops, or a list of IP addresses, networks such as 10.0.0.0/8, and ${names}; "${wrong}" is none of these, and there is no value that trusts everybody`;
}

/** A network of all addresses is not one that could be trusted. */
function isNetwork(text: string): boolean {
  if (networkNames.includes(text)) return true;
  const [address = '', length, ...more] = text.split('/');
  const family = address.includes('%') ? 0 : isIP(address);
  if (family === 0 || more.length > 0) return false;
  if (length === undefined) return true;
  return /^\d{1,3}$/.test(length) && Number(length) >= 1 && Number(length) <= (family === 4 ? 32 : 128);
}
