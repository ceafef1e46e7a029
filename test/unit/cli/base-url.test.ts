import { expect, it } from 'vitest';
import { readBaseUrl } from '../../../src/cli/base-url.ts';

it.each([
  ['http://127.0.0.1:4000', { origin: 'http://127.0.0.1:4000', path: '' }],
  ['https://cms.example.com/', { origin: 'https://cms.example.com', path: '' }],
  ['https://cms.example.com/a/b//', { origin: 'https://cms.example.com', path: '/a/b' }],
])('%s is an address', (text, expected) => {
  expect(readBaseUrl(text, '--url')).toEqual(expected);
});

it.each([
  ['', /^--url must begin with http/],
  ['example', /must begin with http/],
  ['ftp://example.com', /must begin with http/],
  ['http://user@127.0.0.1', /must have no credentials/],
  ['http://:password@127.0.0.1', /must have no credentials/],
  ['http://127.0.0.1/?a=1', /must have no credentials, query/],
  ['http://127.0.0.1/#a', /must have no credentials, query or fragment/],
])('%s is none', (text, reason) => {
  expect(() => readBaseUrl(text, '--url')).toThrow(reason);
});
