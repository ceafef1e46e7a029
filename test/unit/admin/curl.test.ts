import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { toCurl } from '../../../src/admin/pages/api-client/curl.ts';

type Scope = 'cma:read' | 'cma:write' | 'graphql' | 'admin';

const curlOf = (scopes: Scope[], graphqlPath?: string) =>
  toCurl(
    { client: { clientId: `it's "me" $HOME`, name: 'Me', scopes, keys: [] }, secret: 's' },
    { origin: 'http://cms.example', cmaUrl: 'http://cms.example/assets', graphqlPath },
  );

/** The words of a command, as a shell splits them. */
const words = (command: string) =>
  execFileSync('sh', ['-c', `printf '%s\\n' ${command}`], { encoding: 'utf8' })
    .trimEnd()
    .split('\n');

describe('the command that tries credentials', () => {
  it('reaches the shell as it is meant, whatever the ID holds', () => {
    expect(words(curlOf(['cma:read', 'graphql']) ?? '')).toEqual([
      'curl',
      '-H',
      `X-Client-Id: it's "me" $HOME`,
      '-H',
      'X-Client-Secret: s',
      'http://cms.example/assets?from=com.colophon.cms.db.Site',
    ]);
  });

  it('asks for what the client may do', () => {
    expect(words(curlOf(['admin']) ?? '').at(-1)).toBe('http://cms.example/api/admin/types');
    expect(words(curlOf(['graphql'], 'news') ?? '').slice(-3)).toEqual([
      '-d',
      '{"query": "{ __typename }"}',
      'http://cms.example/graphql/news',
    ]);
  });

  it('is left out where there is nothing to try', () => {
    expect(curlOf(['cma:write'])).toBeUndefined();
    expect(curlOf(['graphql'])).toBeUndefined();
  });
});
