import type { Request } from 'express';
import { describe, expect, it, test } from 'vitest';
import type { RequestLocals } from '../../../../src/http/request/request-head.ts';
import { readOrigin } from '../../../../src/http/request/request-head.ts';

const client = {
  clientId: 'importer',
  name: 'Importer',
  scopes: [],
  secretHash: '',
  keys: [],
  createdAtMs: 0,
  updatedAtMs: 0,
};
const user = {
  id: '01935e4a-7c1b-7d52-9a6e-2f0c8b41d3e7',
  email: 'ann@example.com',
  role: 'editor',
  hasPassword: true,
  isOfProvider: false,
} as const;

/** The origin of a request with these facts. Only the method and the headers of a request are read. */
function originOf({
  method = 'POST',
  run,
  ...sender
}: { method?: string; run?: string } & Pick<RequestLocals, 'client' | 'user'>) {
  const headers = run === undefined ? {} : { 'x-run': run };
  return readOrigin(
    { method, headers } as unknown as Request,
    { requestId: 'r1', ...sender } as RequestLocals,
  );
}

describe('who sends a request', () => {
  it('is the API client, by its ID and name', () => {
    expect(originOf({ client })).toEqual({
      by: { kind: 'client', id: 'importer', name: 'Importer' },
      requestId: 'r1',
    });
  });

  it('is the signed-in user, by ID and email', () => {
    expect(originOf({ user }).by).toEqual({ kind: 'user', id: user.id, name: user.email });
  });

  it('is anonymous without credentials', () => {
    expect(originOf({}).by).toEqual({ kind: 'anonymous' });
  });
});

describe('the run of a request', () => {
  it.each(['a', 'import-2026-11-22', 'A.b_c-9', 'x'.repeat(64)])('is %s', (run) => {
    expect(originOf({ client, run }).run).toBe(run);
  });

  it.each(['', ' ', 'a b', 'a/b', 'é', 'a,b', '"a"', 'x'.repeat(65)])('cannot be %j', (run) => {
    expect(() => originOf({ client, run })).toThrow('"X-Run" must be 1 to 64 characters');
  });

  it('needs credentials', () => {
    expect(() => originOf({ run: 'a' })).toThrow('"X-Run" needs credentials');
  });

  test.each(['GET', 'HEAD'])('is not read from %s', (method) => {
    expect(originOf({ method, client, run: 'a b' }).run).toBeUndefined();
  });
});
