/**
 * Parses the setting for the proxies whose `X-Forwarded-For` is trusted. `client-address.ts` uses it.
 */
import { isIP } from 'node:net';

/** The number of proxies in front of the server, or the networks that they are in. */
export type TrustedProxies = number | readonly string[];

/** The names that Express has for networks: `127.0.0.1/8` and `::1/128`, `169.254.0.0/16` and `fe80::/10`, the private networks. */
const networkNames = ['loopback', 'linklocal', 'uniquelocal'];

/** More proxies than any installation has. */
const maxHops = 32;

/** Parses the setting; a returned string is the reason why it is invalid. */
export function readTrustedProxies(text: string): { readonly value: TrustedProxies } | string {
  if (/^\d+$/.test(text)) {
    const hops = Number(text);
    return hops <= maxHops ? { value: hops } : `must be at most ${maxHops} hops`;
  }
  const networks = text.split(',').map((network) => network.trim());
  const wrong = networks.find((network) => !isNetwork(network));
  if (wrong === undefined) return { value: networks };
  const names = networkNames.join(', ');
  return `must be a number of hops, or a list of IP addresses, networks such as 10.0.0.0/8, and ${names}; "${wrong}" is none of these, and no value trusts everybody`;
}

/** Tells whether a text is a network that can be trusted; the network of all addresses is not. */
function isNetwork(text: string): boolean {
  if (networkNames.includes(text)) return true;
  const [address = '', length, ...more] = text.split('/');
  const family = address.includes('%') ? 0 : isIP(address);
  if (family === 0 || more.length > 0) return false;
  if (length === undefined) return true;
  return /^\d{1,3}$/.test(length) && Number(length) >= 1 && Number(length) <= (family === 4 ? 32 : 128);
}
