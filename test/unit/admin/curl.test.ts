import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { toCurl } from '../../../src/admin/pages/api-client/curl.ts';

type Scope = 'cma:read' | 'cma:write' | 'graphql' | 'admin';

const curlOf = (scopes: Scope[], graphqlPath?: string) =>
  toCurl(
    {
      client: { clientId: `it's "me" $HOME`, name: 'Me', scopes, keys: [], createdAt: 0, updatedAt: 0 },
      secret: 's',
    },
    { serverUrl: 'http://cms.example', cmaUrl: 'http://cms.example/assets', graphqlPath },
  );

/** Splits a command into words with a shell. */
const words = (command: string) =>
  execFileSync('sh', ['-c', `printf '%s\\n' ${command}`], { encoding: 'utf8' })
    .trimEnd()
    .split('\n');

describe('the command that tries credentials', () => {
  it('quotes every ID correctly for the shell', () => {
    expect(words(curlOf(['cma:read', 'graphql']) ?? '')).toEqual([
      'curl',
      '-H',
      `X-Client-Id: it's "me" $HOME`,
      '-H',
      'X-Client-Secret: s',
      'http://cms.example/assets?from=com.colophon.cms.db.Site',
    ]);
  });

  it('requests an operation that the client is allowed to do', () => {
    expect(words(curlOf(['admin']) ?? '').at(-1)).toBe('http://cms.example/api/admin/types');
    expect(words(curlOf(['graphql'], 'news') ?? '').slice(-3)).toEqual([
      '-d',
      '{"query": "{ __typename }"}',
      'http://cms.example/graphql/news',
    ]);
  });

  it('is omitted when the client can run no harmless request', () => {
    expect(curlOf(['cma:write'])).toBeUndefined();
    expect(curlOf(['graphql'])).toBeUndefined();
  });
});
