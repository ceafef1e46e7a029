/**
 * Runs @hey-api/openapi-ts over a document and returns what it writes.
 *
 * It can write to a folder only, so it is given a temporary one, far from any configuration that it would find and obey.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient as runOnce, type UserConfig } from '@hey-api/openapi-ts';
import type { OpenApiDocument } from '../../documents/openapi-document.ts';
import { type GeneratedFiles, generatedNotice, readFiles } from '../generated-files.ts';

/** Generates TypeScript from a document by the plugins given; imports among the files end in `.js`. */
export async function runOpenApiTs(
  document: OpenApiDocument,
  plugins: NonNullable<UserConfig['plugins']>,
): Promise<GeneratedFiles> {
  const folder = mkdtempSync(join(tmpdir(), 'colophon-codegen-'));
  try {
    await runOnce({
      // A copy, since the generator works on what it is given.
      input: JSON.parse(JSON.stringify(document)),
      logs: { level: 'silent', file: false },
      output: {
        path: join(folder, 'out'),
        header: `// ${generatedNotice}`,
        module: { extension: '.js' },
        tsConfigPath: null,
      },
      plugins,
    });
    return readFiles(join(folder, 'out'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
