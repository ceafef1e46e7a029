/**
 * The entry of the thread that checks one change of content types. It loads all types itself, and sends searches to the thread that
 * has the store open.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { isDomainError, type SourceProblem } from '../../base/errors.ts';
import type { AssetSource } from '../../content/unfit/count-breaks.ts';
import type { CheckOutcome } from '../../mapping/types-check/types-report.ts';
import type { Asset, Catalog } from '../../model/content-type.ts';
import type { FindRequest, FoundPage, StoredText } from '../../store/port.ts';
import { loadTypes } from '../../types/load-types.ts';
import { readSuppliedSources, type TypeSource } from '../../types/type-sources.ts';
import { checkChange, type StoreRecords } from './check-change.ts';

/** The start data of the thread. */
export interface CheckData {
  /** The SDL files of the types of the store, without the supplied ones. */
  readonly stored: readonly TypeSource[];
  /** Absent means those of the store. */
  readonly before: readonly TypeSource[] | undefined;
  readonly after: readonly TypeSource[];
  readonly records: StoreRecords;
  readonly cmaPath: string;
  /** How long stored assets are counted. */
  readonly countMs: number;
}

/** The answer to a search of stored assets. */
export type FoundTexts = FoundPage<StoredText>;

/** A message of the thread: a search, which is answered before it sends another, or the outcome, which is the last message. */
export type CheckMessage = { readonly find: FindRequest } | { readonly outcome: CheckOutcome };

const port = parentPort;
if (port === null) throw new Error('This module is the entry of a worker thread');
const data: CheckData = workerData;
const post = (message: CheckMessage) => port.postMessage(message);
// While it listens, the thread does not end, not even when it only waits for a timer.
port.on('message', () => {});

/** The store of the other thread. Texts are parsed here. */
const store: AssetSource = {
  async find(request) {
    post({ find: request });
    const { items, ...page } = await new Promise<FoundTexts>((resolve) => port.once('message', resolve));
    // Every stored text is that of an asset.
    const toStored = ({ text, version }: (typeof items)[number]) => ({
      asset: JSON.parse(text) as Asset,
      version,
    });
    return { ...page, items: items.map(toStored) };
  },
};

async function check(): Promise<CheckOutcome> {
  const { records, cmaPath, countMs } = data;
  const after = load(data.after);
  if ('problems' in after) return { refused: 'after', ...after };
  const stored = { catalog: loadTypes([...readSuppliedSources(), ...data.stored]) };
  const before = data.before ? load(data.before) : stored;
  if ('problems' in before) return { refused: 'before', ...before };
  const catalogs = { stored: stored.catalog, before: before.catalog, after: after.catalog };
  const signal = AbortSignal.timeout(countMs);
  return { report: await checkChange({ catalogs, records, store, cmaPath, signal }) };
}

/** Loads types, or returns the problems of their SDL. */
function load(sources: readonly TypeSource[]): { catalog: Catalog } | { problems: readonly SourceProblem[] } {
  try {
    return { catalog: loadTypes([...readSuppliedSources(), ...sources]) };
  } catch (error) {
    if (isDomainError(error, 'bad_types')) return { problems: error.details.problems };
    throw error;
  }
}

// An unexpected error ends the thread.
void check().then((outcome) => post({ outcome }));
