/** Commands that name a server read its address and credentials in the same way, whatever the option is called. */
import { expect, it } from 'vitest';
import { startCommand } from '../../support/command-line.ts';

const commands: readonly [what: string, words: readonly string[]][] = [
  ['--url', ['export', '--from', 'com.example.news.Article', '--url']],
  ['--url', ['runs', 'list', '--url']],
  ['--endpoints', ['codegen', '--out', 'unused', '--endpoints']],
  ['<base url>', ['contract']],
];

const addresses: readonly [address: string, reason: string][] = [
  ['http://me:secret@example.com', 'must have no credentials, query or fragment'],
  ['https://example.com/?a=b', 'must have no credentials, query or fragment'],
  ['http://', 'must begin with http:// or https://, such as http://127.0.0.1:4000'],
  [
    'http://example.com',
    'needs COLOPHON_CLIENT_ID and COLOPHON_CLIENT_SECRET, or --client-id and --client-secret',
  ],
];

it.each(commands)('%s of %j', async (what, words) => {
  for (const [address, reason] of addresses) {
    const { exitCode, stderr } = await startCommand([...words, address], {}).ended;
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(`colophon: ${what} ${reason}`)]);
  }
});
