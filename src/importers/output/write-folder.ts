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
import { readAssets } from './checks/check-content.ts';
import { fitContent } from './checks/fit-content.ts';
import { fitTypes } from './checks/fit-types.ts';
import { renameBlocks } from './checks/separate-kinds.ts';
import { createKeptFiles } from './kept-files.ts';
import { openLines } from './lines.ts';
import { printTypes } from './print-types.ts';
import { removeReferences } from './published-references.ts';
import { createReport, type ReportJson } from './report.ts';

/** How many assets were written, and what the report says. */
export interface Written {
  readonly published: number;
  readonly drafts: number;
  readonly report: ReportJson;
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
  const fitted = fitTypes(reading.types, report);
  const paths = ['content.jsonl', 'drafts.jsonl'].map((name) => join(folder, name));
  const [contentPath = '', draftsPath = ''] = paths;
  const [content, drafts] = [openLines(contentPath), openLines(draftsPath)];
  const draftIds = new Set<string>();
  for await (const { asset, isDraft = false } of reading.assets(
    report,
    createKeptFiles(join(folder, 'files')),
  )) {
    const line = JSON.stringify(renameBlocks(asset, fitted.renamed));
    await (isDraft ? drafts : content).write(`${line}\n`);
    report.wrote(asset);
    if (isDraft) draftIds.add(String(asset._id));
  }
  report.close();
  await Promise.all([content.end(), drafts.end()]);
  await removeReferences(contentPath, { drafts: draftIds, report });
  const rejected = openRejected(join(folder, 'rejected.jsonl'));
  const types = await fitContent(paths, { fitted, report, reject: rejected.write });
  await rejected.end();
  for (const [path, kind] of source.refused) report.lose({ kind, example: path });
  await writeFile(join(folder, 'types', 'content.graphql'), printTypes(types));
  const written = { published: 0, drafts: 0 };
  for await (const { asset, path } of readAssets(paths)) {
    const isDraft = path === draftsPath;
    written[isDraft ? 'drafts' : 'published']++;
    report.countAsset(String(asset._type), isDraft);
  }
  await writeFile(join(folder, 'report.md'), report.print(source.path));
  return { ...written, report: report.toJson() };
}

/** Opens the file of what is rejected with its first line, so that there is none without any. */
function openRejected(path: string) {
  let lines: ReturnType<typeof openLines> | undefined;
  return {
    write: (line: string): Promise<void> => {
      lines ??= openLines(path);
      return lines.write(line);
    },
    end: async (): Promise<void> => lines?.end(),
  };
}
