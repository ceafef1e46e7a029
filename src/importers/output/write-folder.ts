/**
 * Writes the result of a conversion into a folder: content types, assets as lines of JSON, and the report.
 *
 * The same source gives the same bytes.
 */
import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Reading, SourceError } from '../reader.ts';
import { createKeptFiles } from './kept-files.ts';
import { printTypes } from './print-types.ts';
import { createReport } from './report.ts';

/** How many assets were written. */
export interface Written {
  readonly published: number;
  readonly drafts: number;
}

/** Writes the folder, which must be empty or new. Errors: SourceError. */
export async function writeFolder(
  reading: Reading,
  { source, folder }: { source: string; folder: string },
): Promise<Written> {
  await mkdir(join(folder, 'types'), { recursive: true });
  if ((await readdir(folder)).some((name) => name !== 'types'))
    throw new SourceError(`${folder} is not empty`);
  const report = createReport();
  const [content, drafts] = [
    openLines(join(folder, 'content.jsonl')),
    openLines(join(folder, 'drafts.jsonl')),
  ];
  const written = { published: 0, drafts: 0 };
  for await (const { asset, isDraft = false } of reading.assets(
    report,
    createKeptFiles(join(folder, 'files')),
  )) {
    await (isDraft ? drafts : content).write(`${JSON.stringify(asset)}\n`);
    written[isDraft ? 'drafts' : 'published']++;
    report.countAsset(String(asset._type), isDraft);
  }
  await Promise.all([content.end(), drafts.end()]);
  await writeFile(join(folder, 'types', 'content.graphql'), printTypes(reading.types));
  await writeFile(join(folder, 'report.md'), report.print(source));
  return written;
}

/** A file that lines are added to, with as little in memory as the disk allows. */
function openLines(path: string) {
  const stream: WriteStream = createWriteStream(path);
  const failure = once(stream, 'error').then(([error]) => {
    throw error;
  });
  // It is awaited with every write.
  failure.catch(() => undefined);
  return {
    async write(line: string): Promise<void> {
      if (!stream.write(line)) await Promise.race([once(stream, 'drain'), failure]);
    },
    async end(): Promise<void> {
      stream.end();
      await Promise.race([once(stream, 'finish'), failure]);
    },
  };
}
