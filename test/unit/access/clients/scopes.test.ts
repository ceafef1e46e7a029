import { expect, it } from 'vitest';
import { assertScope, isScope, scopes } from '../../../../src/access/clients/scopes.ts';
import { hashSecret, isSecret } from '../../../../src/access/clients/secret.ts';

it('a scope is known by its exact name', () => {
  expect(scopes.every(isScope)).toBe(true);
  expect(['cma', 'CMA:READ', 'cma:read ', '', 'toString'].filter(isScope)).toEqual([]);
});

it('a scope that a client lacks is refused, and no other scope stands in for it', () => {
  const client = { clientId: 'importer', scopes: ['cma:write', 'admin'] as const };
  expect(() => assertScope(client, 'cma:write')).not.toThrow();
  expect(() => assertScope(client, 'cma:read')).toThrow(
    expect.objectContaining({ code: 'forbidden', message: 'API client importer lacks the scope cma:read' }),
  );
});

it('a secret is kept as its SHA-256, and recognised by it', () => {
  expect(hashSecret('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  expect(isSecret('abc', hashSecret('abc'))).toBe(true);
  expect(isSecret('abd', hashSecret('abc'))).toBe(false);
  expect(isSecret('abc', '')).toBe(false);
  expect(isSecret(hashSecret('abc'), hashSecret('abc'))).toBe(false);
});
