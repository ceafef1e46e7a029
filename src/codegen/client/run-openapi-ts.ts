/**
 * Runs @hey-api/openapi-ts over a document and returns what it writes.
 *
 * It can only write to a folder, so it gets a temporary one, where it finds no configuration of others.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { UserConfig } from '@hey-api/openapi-ts';
import type { OpenApiDocument } from '../../documents/openapi-document.ts';
import { tagDeprecations } from '../../documents/schema-members.ts';
import { type GeneratedFiles, generatedNotice, readFiles } from '../generated-files.ts';

/** Generates TypeScript from a document by the plugins given; imports among the files end in `.js`. */
export async function runOpenApiTs(
  document: OpenApiDocument,
  plugins: NonNullable<UserConfig['plugins']>,
): Promise<GeneratedFiles> {
  // The bundle is CommonJS, which could not require this package.
  const { createClient: runOnce } = await import('@hey-api/openapi-ts');
  const folder = mkdtempSync(join(tmpdir(), 'colophon-codegen-'));
  try {
    await runOnce({
      // A copy, since the generator changes its input.
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
    const files = readFiles(join(folder, 'out'));
    return new Map([...files].map(([path, text]) => [path, tagDeprecations(text)]));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
