/**
 * The store adapter: a store where it is, which can be opened for content types, read without them, copied as a whole and checked.
 *
 * Each store has one in its folder, which loads the rest of the folder when it is needed. `open-store.ts` chooses between them.
 */
import type { Duplex } from 'node:stream';
import type { RunObserver } from '../base/fair-queue.ts';
import type { Metric } from '../base/metrics/metric.ts';
import type { Logger } from '../base/runtime.ts';
import type { Catalog } from '../model/content-type.ts';
import type { DumpOptions, StoreDump } from './copy/store-dump.ts';
import type { StoreLoader } from './copy/store-loader.ts';
import type { FilePlace } from './file-place.ts';
import type { CheckedPart, Findings } from './inspection/findings.ts';
import type { ContentStore } from './port.ts';
import type { NamesChange } from './renames/recorded-names.ts';
import type { KnownTypes, ServingTiming } from './served-types.ts';
import type { StoreMeter } from './store-metrics.ts';

/** A store at one place. Errors of each call: bad_config when Colophon cannot use the store, store_busy, store_failure. */
export interface StoreAdapter {
  /** The name of the database program, for messages. */
  readonly name: string;
  /** Where the store is, without credentials. */
  readonly location: string;
  /** The folder with the data of the installation; absent for a store on a database server. */
  readonly folder?: string;
  /** Tells whether the store has been created; a database on a server needs no creation. */
  exists(): boolean;
  /** Opens the store with a catalog of stored names. */
  open(options: OpenOptions): Promise<ContentStore>;
  /** Reads the record of names as text; `undefined` in a store without one, and in a missing one. */
  readNames(): Promise<string | undefined>;
  /** Replaces the record of names if it is still the former one. Returns whether it was. */
  replaceNames(change: NamesChange): Promise<boolean>;
  /** Reads the types that the store knows. A missing store knows none. */
  readTypes(): Promise<KnownTypes>;
  /** Opens an existing store to copy it as a whole; other processes may go on writing. */
  dump(options: DumpOptions): Promise<StoreDump>;
  /**
   * Begins to fill an empty store with a copy. With `isReplacing`, what the store has is replaced: an SQLite file when the copy is
   * complete, the content of a MongoDB database at once.
   *
   * Errors: transfer_failed when there is a store, or one that is in use.
   */
  load(options: LoadOptions): Promise<StoreLoader>;
  /** Opens an existing store to check it for damage. `catalog` has the types that it was last served with, and those of system records. */
  inspect(options: { readonly catalog: Catalog }): Promise<StoreInspection>;
  /** Opens the store's own place of files. */
  openFilePlace(): Promise<FilePlace>;
  /** Creates the writer that the workers of one server share; absent where each worker writes itself. */
  shareWriter?(logger: Logger): Promise<SharedWriter>;
}

export interface OpenOptions {
  readonly catalog: Catalog;
  readonly logger: Logger;
  /** How long a search may take; waiting for its turn does not count. Absent means `defaultQueryMs` of the port. */
  readonly queryMs?: number;
  /** Receives how long each search of a client has run. */
  readonly onSearch?: RunObserver | undefined;
  /** Measures the calls. */
  readonly meter?: StoreMeter | undefined;
  /** Whether the caller only reads: nothing is changed, and a missing store is read as an empty one. */
  readonly isReadOnly?: boolean;
  /** How a process that serves reports to the store; for tests. */
  readonly timing?: ServingTiming | undefined;
  /** Opens the channel of a worker to the writer that its parent shares; absent where this process has the writer. */
  readonly openWriterChannel?: (() => Duplex) | undefined;
}

/** What to fill a store with. */
export interface LoadOptions {
  readonly isReplacing: boolean;
  /** The types of the copy. */
  readonly catalog: Catalog;
}

/**
 * A store that is being checked for what only its own database knows of: its files, indexes, words and totals. What holds for every
 * store is checked on a copy; see `copy/`. Errors: store_busy, store_failure.
 */
export interface StoreInspection {
  /** Returns the first thing that the database's own check of its file finds; `undefined` for a sound file, and for a database on a server. */
  findFault(): Promise<string | undefined>;
  /** Adds what is wrong; other processes may write meanwhile. Calls `onPart` before each part. */
  check(findings: Findings, onPart: (part: CheckedPart) => void): Promise<void>;
  /**
   * Creates indexes, words and totals again from the assets. Errors: transfer_failed when the store is in use or its assets are
   * damaged.
   */
  repair(): Promise<void>;
  close(): Promise<void>;
}

/** The writer of several workers, in their parent. */
export interface SharedWriter {
  /** Answers a worker over its channel until that ends. */
  join(channel: Duplex): void;
  /** Returns the metrics of the writer once it runs. */
  collect(): Metric[];
  /** Ends the writer after everything that workers have asked for. */
  stop(): Promise<void>;
}
