import { describe, expect, it } from 'vitest';
import { findForbiddenKind } from '../../../src/outbound/find-forbidden-kind.ts';

describe('an address', () => {
  it.each([
    ['127.0.0.1', 'a loopback'],
    ['127.255.255.254', 'a loopback'],
    ['0.0.0.0', 'an unspecified'],
    ['10.1.2.3', 'a private'],
    ['172.16.0.1', 'a private'],
    ['172.31.255.255', 'a private'],
    ['192.168.1.1', 'a private'],
    ['100.64.0.1', 'a shared private'],
    ['169.254.169.254', 'a link-local'],
    ['224.0.0.1', 'a multicast'],
    ['255.255.255.255', 'a reserved'],
    ['::', 'an unspecified'],
    ['::1', 'a loopback'],
    ['0:0:0:0:0:0:0:1', 'a loopback'],
    ['fe80::1', 'a link-local'],
    ['fe80::1%eth0', 'a link-local'],
    ['fc00::1', 'a private'],
    ['fd12:3456:789a::1', 'a private'],
    ['ff02::1', 'a multicast'],
    ['::ffff:127.0.0.1', 'a loopback'],
    ['::ffff:7f00:1', 'a loopback'],
    ['0:0:0:0:0:ffff:c0a8:0101', 'a private'],
    ['::127.0.0.1', 'a loopback'],
    ['::ffff:0:169.254.169.254', 'a link-local'],
    ['64:ff9b::10.0.0.1', 'a private'],
    ['64:ff9b::a9fe:a9fe', 'a link-local'],
    ['64:ff9b:1::1', 'a private'],
    ['2002:7f00:1::', 'a loopback'],
    ['2001:0:5ef5:79fb::1', 'a tunnel'],
    ['no address', 'an unknown'],
  ])('%s is forbidden as %s one', (address, kind) => {
    expect(findForbiddenKind(address)).toBe(kind);
  });

  it.each([
    '1.1.1.1',
    '172.15.255.255',
    '172.32.0.1',
    '169.253.1.1',
    '100.128.0.1',
    '2606:4700:4700::1111',
    '::ffff:8.8.8.8',
    '64:ff9b::8.8.8.8',
    '2002:0808:0808::1',
  ])('%s is allowed', (address) => {
    expect(findForbiddenKind(address)).toBeUndefined();
  });
});
