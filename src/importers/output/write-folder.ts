/**
 * Writes the result of a conversion into a folder: content types, assets as lines of JSON, and the report.
 *
 * The same source gives the same bytes.
 */
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Reading } from '../reader.ts';
import type { Source } from '../source/source.ts';
import { SourceError } from '../source-error.ts';
import { createKeptFiles } from './kept-files.ts';
import { openLines } from './lines.ts';
import { printTypes } from './print-types.ts';
import { removeReferences } from './published-references.ts';
import { createReport } from './report.ts';

/** How many assets were written. */
export interface Written {
  readonly published: number;
  readonly drafts: number;
}

/** Writes the folder, which must be empty or new. Errors: SourceError. */
export async function writeFolder(
  reading: Reading,
  { source, folder }: { source: Source; folder: string },
): Promise<Written> {
  await mkdir(folder, { recursive: true });
  if ((await readdir(folder)).length > 0) throw new SourceError(`${folder} is not empty`);
  for (const part of ['types', 'files']) await mkdir(join(folder, part));
  const report = createReport();
  const contentPath = join(folder, 'content.jsonl');
  const [content, drafts] = [openLines(contentPath), openLines(join(folder, 'drafts.jsonl'))];
  const draftIds = new Set<string>();
  const written = { published: 0, drafts: 0 };
  for await (const { asset, isDraft = false } of reading.assets(
    report,
    createKeptFiles(join(folder, 'files')),
  )) {
    await (isDraft ? drafts : content).write(`${JSON.stringify(asset)}\n`);
    if (isDraft) draftIds.add(String(asset._id));
    written[isDraft ? 'drafts' : 'published']++;
    report.countAsset(String(asset._type), isDraft);
  }
  await Promise.all([content.end(), drafts.end()]);
  await removeReferences(contentPath, { drafts: draftIds, report });
  for (const [path, kind] of source.refused) report.lose({ kind, example: path });
  await writeFile(join(folder, 'types', 'content.graphql'), printTypes(reading.types));
  await writeFile(join(folder, 'report.md'), report.print(source.path));
  return written;
}
