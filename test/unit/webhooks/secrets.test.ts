import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { randomIds } from '../../../src/base/runtime.ts';
import { createSecretBox, createSecretKeySource } from '../../../src/webhooks/secrets/secret-box.ts';
import { temporaryFolder } from '../../support/opened.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = temporaryFolder();
});

interface Settings {
  readonly secretKey?: string;
  readonly store?: { readonly name: string; readonly folder?: string };
}

const box = ({ secretKey, store = { name: 'SQLite', folder: dataDir } }: Settings = {}) =>
  createSecretBox({
    secretKey: createSecretKeySource({ secretKey, store, ids: randomIds }),
    ids: randomIds,
  });
const one = { secretKey: 'the first of two keys, long enough' };

describe('a secret', () => {
  it('is decrypted by the same key for the same purpose, and is not in what is stored', () => {
    const encrypted = box(one).encrypt('whsec_abc', 'a webhook');
    expect(encrypted).not.toContain('whsec_abc');
    expect(encrypted).not.toBe(box(one).encrypt('whsec_abc', 'a webhook'));
    expect(box(one).decrypt(encrypted, 'a webhook')).toEqual({ secret: 'whsec_abc' });
    expect(box(one).decrypt(encrypted, 'another')).toEqual({ problem: expect.stringContaining('damaged') });
    const other = box({ secretKey: 'the second of two keys, long enough' });
    expect(other.decrypt(encrypted, 'a webhook')).toEqual({
      problem: expect.stringContaining('another key'),
    });
    expect(box().decrypt(encrypted, 'a webhook')).toEqual({
      problem: expect.stringContaining('another key'),
    });
  });

  it('gets a key file of mode 600, which other processes use as well', () => {
    const encrypted = box().encrypt('whsec_abc', 'a webhook');
    const file = join(dataDir, 'secret.key');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8')).toMatch(/^[\w-]{43}\n$/);
    expect(box().decrypt(encrypted, 'a webhook')).toEqual({ secret: 'whsec_abc' });
    chmodSync(file, 0o640);
    expect(() => box().encrypt('x', 'y')).toThrow(expect.objectContaining({ code: 'bad_config' }));
    chmodSync(file, 0o600);
    writeFileSync(file, '');
    const damaged = box().decrypt(encrypted, 'a webhook');
    expect(damaged).toEqual({ problem: expect.stringContaining('contains no key') });
  });

  it('needs the setting on MongoDB', () => {
    const mongo = { store: { name: 'MongoDB' } };
    expect(() => box(mongo).encrypt('x', 'y')).toThrow(
      expect.objectContaining({
        code: 'not_supported',
        message: expect.stringContaining('COLOPHON_SECRET_KEY'),
      }),
    );
    expect(box({ ...mongo, ...one }).encrypt('x', 'y')).toMatch(/^v1\./);
  });
});
