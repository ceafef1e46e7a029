/** The validators of requests, which are made where they are absent or not those of the committed hash. */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { packageRoot } from '../../../src/base/package-root.ts';
import { ensureValidators } from '../../../src/codegen/ensure-validators.ts';
import { readFiles, validatorPaths, validatorsHash } from '../../../src/codegen/generated-files.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'colophon-validators-'));
  mkdirSync(join(folder, 'server'));
  cpSync(join(packageRoot, 'generated', validatorsHash), join(folder, validatorsHash));
});
afterEach(() => rmSync(folder, { recursive: true }));

const inPackage = (path: string) => readFileSync(join(packageRoot, 'generated', path), 'utf8');
/** A file keeps its inode until it is replaced. */
const inodes = () => validatorPaths.map((path) => statSync(join(folder, path)).ino);

it('makes them where they are absent, by two callers at once, and nothing else', async () => {
  await Promise.all([ensureValidators(folder), ensureValidators(folder)]);
  expect([...readFiles(folder).keys()].sort()).toEqual([validatorsHash, ...validatorPaths].sort());
  for (const path of validatorPaths)
    expect([path, readFileSync(join(folder, path), 'utf8') === inPackage(path)]).toEqual([path, true]);
  expect(inPackage('validators/cma.js')).toContain('requestValidators');
});

it('keeps those that are current, and replaces them when one differs', async () => {
  cpSync(join(packageRoot, 'generated/validators'), join(folder, 'validators'), { recursive: true });
  const before = inodes();
  await ensureValidators(folder);
  expect(inodes()).toEqual(before);
  writeFileSync(join(folder, 'validators/cma.js'), 'export const requestValidators = {};\n');
  await ensureValidators(folder);
  expect(readFileSync(join(folder, 'validators/cma.js'), 'utf8')).toBe(inPackage('validators/cma.js'));
});

it('refuses a hash that is not of the documents, and writes nothing', async () => {
  writeFileSync(join(folder, validatorsHash), 'other\n');
  await expect(ensureValidators(folder)).rejects.toMatchObject({ code: 'check_failed' });
  expect([...readFiles(folder).keys()]).toEqual([validatorsHash]);
});
