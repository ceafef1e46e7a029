/**
 * Where commands find runs and releases: the admin API of a server, or the configured store.
 */
import { composeContent } from '../../../app/compose/compose-commands.ts';
import { checkCursors } from '../../../transfer/target/content-target.ts';
import type { CommandCall } from '../../command.ts';
import { createRuntime } from '../command-runtime.ts';
import { assertSame, chooseTypesFor, readConfigFor } from '../types/types-option.ts';

/** The two places of records. `isWriting` says whether the content types must be those last served. */
interface Places<Source> {
  readonly isWriting: boolean;
  readonly onServer: (url: string) => Promise<Source>;
  readonly onStore: (records: Awaited<ReturnType<typeof composeContent>>) => Source;
}

/** Runs `work` with the records of the place that the call names, and closes the store afterwards. */
export async function withRecords<Source, Outcome>(
  call: CommandCall,
  { isWriting, onServer, onStore }: Places<Source>,
  work: (source: Source) => Promise<Outcome>,
): Promise<Outcome> {
  const url = call.option('url');
  if (url !== undefined) return work(await onServer(url));
  const config = readConfigFor(call);
  const chosen = await chooseTypesFor(config, { isCompared: true });
  if (isWriting) assertSame(chosen);
  const records = await composeContent(config, createRuntime(call), { chosen, isReadOnly: !isWriting });
  try {
    return await work(onStore(records));
  } finally {
    await records.close();
  }
}

/** Reads a page of a list. */
type ReadPage<Item> = (
  cursor?: string,
) => Promise<{ readonly items: readonly Item[]; readonly next?: string }>;

/** Reads the items of all pages of a list. Errors: transfer_failed for a cursor that comes twice. */
export async function readItems<Item>(readPage: ReadPage<Item>): Promise<readonly Item[]> {
  const read: Item[] = [];
  for await (const item of itemsOf(readPage)) read.push(item);
  return read;
}

/** The same, one after the other, so that a long list needs no memory. */
export async function* itemsOf<Item>(readPage: ReadPage<Item>): AsyncGenerator<Item> {
  const toNew = checkCursors();
  for (let cursor: string | undefined; ; ) {
    const { items, next } = await readPage(cursor);
    yield* items;
    if (next === undefined) return;
    cursor = toNew(next);
  }
}
