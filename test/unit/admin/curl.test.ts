import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { toCurl, toKeyCurl } from '../../../src/admin/pages/api-client/curl.ts';

type Issued = Parameters<typeof toCurl>[0];
type Places = Parameters<typeof toCurl>[1];

const issuedTo = (client: Omit<Issued['client'], 'clientId'>): Issued => ({
  client: { clientId: `it's "me" $HOME`, ...client },
  secret: 's',
});
const placesWith = (graphqlEndpoints: Places['graphqlEndpoints']): Places => ({
  serverUrl: 'http://cms.example',
  cmaUrl: 'http://cms.example/assets',
  graphqlEndpoints,
});
const news = { id: '1', path: 'news', access: 'API_KEY', trustedOnly: false } as const;
const curlOf = (scopes: Issued['client']['scopes'], graphqlEndpoints: Places['graphqlEndpoints'] = []) =>
  toCurl(issuedTo({ scopes }), placesWith(graphqlEndpoints));

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
    expect(words(curlOf(['cma:draft']) ?? '').at(-1)).toMatch(/&release=drafts$/);
    expect(words(curlOf(['metrics']) ?? '').at(-1)).toBe('http://cms.example/metrics');
    expect(words(curlOf(['graphql'], [news]) ?? '').slice(-3)).toEqual([
      '-d',
      '{"query": "{ __typename }"}',
      'http://cms.example/graphql/news',
    ]);
  });

  it('is omitted when the client can run no harmless request', () => {
    expect(curlOf(['cma:write'])).toBeUndefined();
    expect(curlOf(['graphql'])).toBeUndefined();
    expect(curlOf(['graphql'], [{ ...news, trustedOnly: true }])).toBeUndefined();
  });

  it('sends a key to an endpoint that takes it from this client', () => {
    const credentials = { ...news, id: '2', path: 'desk', access: 'CLIENT_CREDENTIALS' } as const;
    const other = { ...news, id: '3', path: 'other' };
    const places = placesWith([credentials, other, news]);
    expect(words(toKeyCurl(issuedTo({ scopes: ['graphql'], endpoints: ['1', '2'] }), places) ?? '')).toEqual([
      'curl',
      '-H',
      'X-API-Key: s',
      '-H',
      'Content-Type: application/json',
      '-d',
      '{"query": "{ __typename }"}',
      'http://cms.example/graphql/news',
    ]);
    expect(toKeyCurl(issuedTo({ scopes: ['cma:read'] }), places)).toBeUndefined();
    expect(toKeyCurl(issuedTo({ scopes: ['graphql'] }), placesWith([credentials]))).toBeUndefined();
  });
});
