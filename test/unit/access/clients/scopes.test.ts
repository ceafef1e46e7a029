import { expect, it } from 'vitest';
import { assertScope, isScope, scopes } from '../../../../src/access/clients/scopes.ts';
import { hashSecret, isSecret } from '../../../../src/access/clients/secret.ts';

it('recognizes scopes by their exact names', () => {
  expect(scopes.every(isScope)).toBe(true);
  expect(['cma', 'CMA:READ', 'cma:read ', '', 'toString'].filter(isScope)).toEqual([]);
});

it('refuses a missing scope, whatever other scopes the client has', () => {
  const client = { clientId: 'importer', scopes: ['cma:write', 'admin'] as const };
  expect(() => assertScope(client, 'cma:write')).not.toThrow();
  expect(() => assertScope(client, 'cma:read')).toThrow(
    expect.objectContaining({ code: 'forbidden', message: 'API client importer lacks the scope cma:read' }),
  );
});

it('stores the SHA-256 of a secret and verifies against it', () => {
  expect(hashSecret('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  expect(isSecret('abc', hashSecret('abc'))).toBe(true);
  expect(isSecret('abd', hashSecret('abc'))).toBe(false);
  expect(isSecret('abc', '')).toBe(false);
  expect(isSecret(hashSecret('abc'), hashSecret('abc'))).toBe(false);
});
