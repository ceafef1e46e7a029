/**
 * Decides which network addresses Colophon may connect to when a user has chosen the URL: those of the public internet only, so that
 * nobody can reach the machine itself or its network through the server.
 *
 * IPv6 addresses that contain an IPv4 address (mapped, compatible, NAT64, 6to4) count as that address.
 */
import { BlockList, isIPv4, isIPv6 } from 'node:net';

type Range = readonly [network: string, bits: number, kind: string];

const ranges4: readonly Range[] = [
  ['0.0.0.0', 8, 'an unspecified'],
  ['10.0.0.0', 8, 'a private'],
  ['100.64.0.0', 10, 'a shared private'],
  ['127.0.0.0', 8, 'a loopback'],
  ['169.254.0.0', 16, 'a link-local'],
  ['172.16.0.0', 12, 'a private'],
  ['192.0.0.0', 24, 'a reserved'],
  ['192.168.0.0', 16, 'a private'],
  ['198.18.0.0', 15, 'a private'],
  ['224.0.0.0', 4, 'a multicast'],
  ['240.0.0.0', 4, 'a reserved'],
];

const ranges6: readonly Range[] = [
  ['::', 128, 'an unspecified'],
  ['::1', 128, 'a loopback'],
  ['64:ff9b:1::', 48, 'a private'],
  ['100::', 64, 'a discarding'],
  ['2001::', 32, 'a tunnel'],
  ['fc00::', 7, 'a private'],
  ['fe80::', 10, 'a link-local'],
  ['fec0::', 10, 'a private'],
  ['ff00::', 8, 'a multicast'],
];

/** The prefixes behind which an IPv4 address is embedded: how many groups of 16 bits come before it. */
const embedding: readonly { readonly groups: readonly number[]; readonly at: number }[] = [
  { groups: [0, 0, 0, 0, 0, 0xffff], at: 6 },
  { groups: [0, 0, 0, 0, 0xffff, 0], at: 6 },
  { groups: [0, 0, 0, 0, 0, 0], at: 6 },
  { groups: [0x64, 0xff9b, 0, 0, 0, 0], at: 6 },
  { groups: [0x2002], at: 1 },
];

const toTest = ([network, bits, kind]: Range, family: 'ipv4' | 'ipv6') => {
  const list = new BlockList();
  list.addSubnet(network, bits, family);
  return { kind, has: (address: string) => list.check(address, family) };
};
const tests4 = ranges4.map((range) => toTest(range, 'ipv4'));
const tests6 = ranges6.map((range) => toTest(range, 'ipv6'));

/** Returns what kind of address it is that must not be connected to, such as `a loopback`; `undefined` for a public address. */
export function findForbiddenKind(address: string): string | undefined {
  if (isIPv4(address)) return tests4.find(({ has }) => has(address))?.kind;
  const bare = address.replace(/%.*$/, '');
  if (!isIPv6(bare)) return 'an unknown';
  const own = tests6.find(({ has }) => has(bare));
  if (own) return own.kind;
  const embedded = findEmbedded(toGroups(bare));
  return embedded === undefined ? undefined : findForbiddenKind(embedded);
}

function findEmbedded(groups: readonly number[]): string | undefined {
  const found = embedding.find((prefix) => prefix.groups.every((group, n) => groups[n] === group));
  if (!found) return undefined;
  const bytes = groups.slice(found.at, found.at + 2).flatMap((group) => [group >> 8, group & 0xff]);
  return bytes.join('.');
}

/** Returns the eight groups of a valid IPv6 address. */
function toGroups(address: string): number[] {
  const hexadecimal = address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, ...bytes: string[]) => {
    const [a = 0, b = 0, c = 0, d = 0] = bytes.slice(0, 4).map(Number);
    return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
  });
  const [head = [], tail = []] = hexadecimal
    .split('::')
    .map((part) => (part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16))));
  if (!hexadecimal.includes('::')) return head;
  return [...head, ...new Array<number>(8 - head.length - tail.length).fill(0), ...tail];
}
