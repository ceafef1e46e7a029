/** What codegen.ts writes and says: the committed files under generated/ must equal it. */
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { copyCheckout } from '../../support/clean-checkout.ts';

const root = join(import.meta.dirname, '../../..');

interface Outcome {
  readonly exitCode: number;
  readonly stderr: string;
}

/** Runs codegen.ts of a checkout. */
function generate(options: readonly string[], cwd = root): Promise<Outcome> {
  return new Promise((resolve) => {
    execFile(process.execPath, ['codegen.ts', ...options], { cwd }, (error, _stdout, stderr) => {
      resolve({ exitCode: error ? Number(error.code) : 0, stderr });
    });
  });
}

describe('codegen --check', () => {
  let copy: string;
  beforeAll(() => {
    copy = mkdtempSync(join(tmpdir(), 'colophon-drift-'));
    cpSync(join(root, 'generated'), copy, { recursive: true });
  });
  afterAll(() => rmSync(copy, { recursive: true }));

  it('fails over files that were changed, lost or added, and names them and no other', async () => {
    writeFileSync(join(copy, 'openapi/cma.json'), '{}\n');
    rmSync(join(copy, 'client/lib/index.js'));
    writeFileSync(join(copy, 'server/stray.ts'), '');
    const { exitCode, stderr } = await generate(['--check', '--out', copy]);
    expect(exitCode).toBe(1);
    expect(stderr.trim().split('\n')).toEqual([
      `${join(copy, 'client/lib/index.js')} is missing`,
      `${join(copy, 'openapi/cma.json')} is changed`,
      `${join(copy, 'server/stray.ts')} is not generated`,
      'Run npm run codegen and commit what it writes.',
    ]);
  });
});

describe('codegen', () => {
  it("writes the server's files of a new operation, and says where the client lacks its function", async () => {
    const checkout = mkdtempSync(join(tmpdir(), 'colophon-codegen-'));
    try {
      copyCheckout(checkout);
      const specification = join(checkout, 'openapi/cma.yaml');
      const text = readFileSync(specification, 'utf8');
      const added =
        "  /api/rest/cma/contents/copies:\n    post: { operationId: copyAsset, responses: { '204': { description: Copied. } } }\n";
      writeFileSync(
        specification,
        text.replace(/^paths:\n/m, (line) => line + added),
      );
      expect(await generate([], checkout)).toEqual({
        exitCode: 1,
        stderr:
          'codegen: The client has no function for copyAsset: add it to src/client/create-client.ts, and its type to src/client/cma-client.ts\n',
      });
      expect(readFileSync(join(checkout, 'generated/server/cma.ts'), 'utf8')).toContain(
        'copyAsset: Operation<',
      );
    } finally {
      rmSync(checkout, { recursive: true });
    }
  });
});
