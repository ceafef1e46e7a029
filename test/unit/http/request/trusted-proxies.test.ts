import express from 'express';
import { describe, expect, it } from 'vitest';
import { readTrustedProxies } from '../../../../src/http/request/request-head.ts';

describe('the setting of trusted proxies', () => {
  it.each([
    ['0', 0],
    ['1', 1],
    ['32', 32],
    ['loopback', ['loopback']],
    ['linklocal,uniquelocal', ['linklocal', 'uniquelocal']],
    ['10.0.0.0/8 , 192.0.2.7', ['10.0.0.0/8', '192.0.2.7']],
    ['2001:db8::/32,::1', ['2001:db8::/32', '::1']],
    ['::ffff:10.0.0.0/104', ['::ffff:10.0.0.0/104']],
  ])('reads %s, as Express does', (text, value) => {
    expect(readTrustedProxies(text)).toEqual({ value });
    express().set('trust proxy', value);
  });

  it.each([
    'true',
    'TRUE',
    'yes',
    '*',
    '-1',
    '1.5',
    '33',
    'proxy.example.com',
    '10.0.0.0/0',
    '0.0.0.0/0',
    '::/0',
    '10.0.0.0/33',
    '10.0.0.0/8/8',
    '10.0.0.0/',
    '10.0.0',
    '10.0.0.1,',
    'fe80::1%eth0',
    'loopback,true',
  ])('refuses %s', (text) => {
    expect(readTrustedProxies(text)).toEqual(expect.stringMatching(/^must be /));
  });

  it('says what is wrong in a list', () => {
    expect(readTrustedProxies('loopback,true')).toContain('"true" is none of these');
  });
});
