/** The committed files under generated/ must equal the output of codegen.ts. */
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../../..');

interface Outcome {
  readonly exitCode: number;
  readonly stderr: string;
}

function check(...options: string[]): Promise<Outcome> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ['codegen.ts', '--check', ...options],
      { cwd: root },
      (error, _stdout, stderr) => {
        resolve({ exitCode: error ? Number(error.code) : 0, stderr });
      },
    );
  });
}

describe('codegen --check', () => {
  let copy: string;
  beforeAll(() => {
    copy = mkdtempSync(join(tmpdir(), 'colophon-drift-'));
    cpSync(join(root, 'generated'), copy, { recursive: true });
  });
  afterAll(() => rmSync(copy, { recursive: true }));

  it('finds nothing in what is committed', async () => {
    expect(await check()).toEqual({ exitCode: 0, stderr: '' });
  });

  it('fails over a file that was changed, lost or added, and names each', async () => {
    writeFileSync(join(copy, 'openapi/cma.json'), '{}\n');
    rmSync(join(copy, 'client/lib/index.js'));
    writeFileSync(join(copy, 'server/stray.ts'), '');
    const { exitCode, stderr } = await check('--out', copy);
    expect(exitCode).toBe(1);
    expect(stderr.trim().split('\n')).toEqual([
      `${join(copy, 'client/lib/index.js')} is missing`,
      `${join(copy, 'openapi/cma.json')} is changed`,
      `${join(copy, 'server/stray.ts')} is not generated`,
      'Run npm run codegen and commit what it writes.',
    ]);
  });
});
