/**
 * Writes the result of a conversion into a folder: content types, assets as lines of JSON, and the report.
 *
 * The same source gives the same bytes.
 */
import { mkdir, readdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Json, JsonObject, Reading } from '../reader.ts';
import { readLines, type Source, SourceError } from '../source/source.ts';
import { readAssets } from './checks/check-content.ts';
import { renameBlocks } from './checks/edit-types.ts';
import { fitContent } from './checks/fit-content.ts';
import { fitTypes } from './checks/fit-types.ts';
import { createKeptFiles } from './kept-files.ts';
import { openLines } from './lines.ts';
import { printTypes } from './print-types.ts';
import { createReport, type Report, type ReportJson } from './report.ts';

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

/** Rewrites a file of lines; `drafts` are the `_id`s of drafts. */
async function removeReferences(
  path: string,
  { drafts, report }: { drafts: ReadonlySet<string>; report: Report },
): Promise<void> {
  if (drafts.size === 0) return;
  const rewritten = openLines(`${path}.new`);
  for await (const line of readLines(path)) {
    const isDraft = (value: JsonObject) => typeof value._ref === 'string' && drafts.has(value._ref);
    const asset = line.includes('"_ref":') ? (JSON.parse(line) as JsonObject) : undefined;
    const changed = asset && withoutReferences(asset, isDraft);
    if (changed && changed !== asset)
      report.lose({
        kind: 'asset whose references to drafts are left out',
        example: `${asset._type} ${asset._id}`,
      });
    await rewritten.write(changed && changed !== asset ? `${JSON.stringify(changed)}\n` : `${line}\n`);
  }
  await rewritten.end();
  await rename(`${path}.new`, path);
}

/** Leaves members and items out; returns the same value if there are none. */
function withoutReferences<Value extends Json>(
  value: Value,
  isLeftOut: (value: JsonObject) => boolean,
): Value {
  if (typeof value !== 'object' || value === null) return value;
  const isObject = (one: Json): one is JsonObject =>
    typeof one === 'object' && one !== null && !Array.isArray(one);
  const entries = Object.entries<Json>(value as JsonObject);
  const kept = entries
    .filter(([, member]) => !isObject(member) || !isLeftOut(member))
    .map(([name, member]) => [name, withoutReferences(member, isLeftOut)] as const);
  const isSame =
    kept.length === entries.length && kept.every(([, member], index) => member === entries[index]?.[1]);
  if (isSame) return value;
  // A list stays a list, and an object an object.
  return (Array.isArray(value) ? kept.map(([, member]) => member) : Object.fromEntries(kept)) as Value;
}
