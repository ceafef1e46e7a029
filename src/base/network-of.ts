/**
 * The network that senders without credentials are told apart by.
 */

/** Returns the network of an address: itself, or for IPv6 its 64-bit prefix, which one household usually has. */
export function networkOf(address: string): string {
  if (!address.includes(':') || address.includes('.')) return address;
  const [head = [], tail = []] = address.split('::').map((part) => part.split(':'));
  const gap = Array.from({ length: Math.max(0, 8 - head.length - tail.length) }, () => '0');
  return [...head, ...gap, ...tail].slice(0, 4).join(':');
}
