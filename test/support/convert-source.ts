/** Converts small sources with `colophon-import`, as the command does. */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll } from 'vitest';

const main = join(import.meta.dirname, '../../src/importers/main.ts');
const folder = mkdtempSync(join(tmpdir(), 'colophon-sources-'));
afterAll(() => rmSync(folder, { recursive: true }));
let sources = 0;

/** Writes a source of these files, of which those that are no texts or bytes are JSON, and converts it. */
export async function convertSource(format: string, files: Readonly<Record<string, unknown>>, source = '') {
  const place = join(folder, `source-${sources++}`);
  for (const [path, value] of Object.entries(files)) {
    mkdirSync(dirname(join(place, path)), { recursive: true });
    const isPlain = typeof value === 'string' || Buffer.isBuffer(value);
    writeFileSync(join(place, path), isPlain ? value : JSON.stringify(value));
  }
  const out = join(place, 'out');
  const words = [main, format, join(place, source), '--out', out, '--json'];
  const { stdout } = await promisify(execFile)(process.execPath, words);
  const read = (name: string) => (existsSync(join(out, name)) ? readFileSync(join(out, name), 'utf8') : '');
  const lines = (name: string) =>
    read(name)
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  return {
    out,
    types: read('types/content.graphql'),
    content: lines('content.jsonl'),
    rejected: lines('rejected.jsonl'),
    written: read('content.jsonl') + read('drafts.jsonl'),
    report: read('report.md'),
    said: JSON.parse(stdout) as {
      published: number;
      report: { values: Record<string, { read: number; carried: number; reported: number }> };
    },
  };
}
