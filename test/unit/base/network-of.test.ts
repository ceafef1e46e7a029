import { expect, test } from 'vitest';
import { networkOf } from '../../../src/base/request-origin.ts';

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8:1:2::6', '2001:db8:1:2'],
  ['2001:db8::6', '2001:db8:0:0'],
  ['::ffff:192.0.2.7', '::ffff:192.0.2.7'],
])('the network of %s is %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});
