/**
 * The connection to MongoDB and its collections.
 *
 * A majority acknowledges each write, and the write is journaled. Reads go to the primary with read concern `local`: each sees
 * every write acknowledged before, also those of other processes. It may also see an unacknowledged write, which a failover can
 * roll back; acknowledged writes are never rolled back.
 */
import { randomUUID } from 'node:crypto';
import {
  type Binary,
  type ClientSession,
  type Collection,
  type Db,
  GridFSBucket,
  MongoClient,
  type MongoClientOptions,
  type ObjectId,
} from 'mongodb';
import { badConfig } from '../../base/errors.ts';
import type { ServedTypes } from '../served-types.ts';
import type { ChangeDocument } from './changes/change-document.ts';
import type { AssetDocument } from './documents/document.ts';
import { inTransaction, operationLimitMs, withinLimit } from './writes/transaction.ts';

/** The record of a content type; `_id` is its class name. */
export interface TypeRecord {
  readonly _id: string;
  /** The text fields whose words are stored for all its assets, in the format of `word-index.ts`. */
  readonly texts?: readonly string[];
  /** While its words are made anew by other rules: the text fields, and the last asset whose words are. */
  readonly remade?: { readonly texts: readonly string[]; readonly after: string };
  /** The searchable fields whose words were listed for an index in all its assets. */
  readonly listed?: readonly string[];
  /** The indexes of keys with a condition that have the values of all its assets. */
  readonly filled?: readonly string[];
  /** How many of its assets have been deleted so far, without entries in the change log. */
  readonly deletions?: number;
  /** How many of its entries in the change log have been numbered so far. */
  readonly changes?: number;
}

/** The record of a process that serves the store; with the `_id` "cleaning", the lease of the process that cleans up. */
export interface ServingRecord {
  readonly _id: string;
  /** When the process last reported, by the server's clock. */
  readonly seen?: Date;
  /** The rank of its start: the record with the greatest has the types last served. Absent while the process starts. */
  readonly started?: number;
  /** Whether the process has ended regularly. */
  readonly stopped?: boolean;
  /** The names of the indexes it needs. */
  readonly indexes?: readonly string[];
  /** The text fields it needs, with their class names, in the format of `stored-words.ts`. */
  readonly texts?: readonly string[];
  /** The names of the indexes of keys with a condition whose members it derives. */
  readonly derives?: readonly string[];
  /** Its rules of deletion, whether their indexes are complete, and the rules that it obeys, in the format of `deletion-rules.ts`. */
  readonly rules?: readonly string[];
  readonly isBuilt?: boolean;
  readonly obeys?: readonly string[];
  readonly types?: ServedTypes;
}

/** The format of the database and of its change log. */
export interface FormatRecord {
  readonly _id: 'format';
  readonly format: number;
  /** The random name of the store's line of history. */
  readonly epoch: string;
  /** The log has an entry for every later write; 0 when it has had one for every write so far. */
  readonly loggedSinceMs: number;
  /** The greatest `seq` that trimming has removed. */
  readonly trimmedTo?: number;
}

/** The highest time that the store has seen. */
export interface ClockRecord {
  readonly _id: 'clock';
  readonly highest: Date;
}

/** The numbering of the change log, and the lease of the process that does it. */
export interface NumberingRecord {
  readonly _id: 'numbering';
  /** The greatest `seq`. */
  readonly last: number;
  /** How often the lease was acquired. */
  readonly fence: number;
  /** The name of the process that acquired the lease last; the fencing number tells processes of one name apart. */
  readonly holder?: string;
  /** The session of its numbering; absent after it has released the lease. */
  readonly session?: Binary;
  /** When that process last reported, by the server's clock. */
  readonly seen: Date;
}

/** The record of the names of fields. */
export interface NamesRecord {
  readonly _id: 'names';
  /** As `renames/recorded-names.ts` prints it. */
  readonly names: string;
}

/** The mark of a database that is being filled with a copy of a store, and of the command that does it. */
export interface LoadRecord {
  readonly _id: 'loading';
  /** The name of the load. */
  readonly load: string;
  /** When it last reported, by the server's clock. */
  readonly seen: Date;
}

/** The collections with the bytes of files. */
export interface FileBucket {
  readonly bucket: GridFSBucket;
  readonly chunks: Collection<{ readonly files_id: ObjectId; readonly n: number; readonly data: Binary }>;
  /** The uploads that have not ended, or whose process was killed; `_id` is that of the file in the bucket. */
  readonly uploads: Collection<{ readonly _id: ObjectId }>;
}

/** An open connection. */
export interface Database {
  readonly assets: Collection<AssetDocument>;
  readonly types: Collection<TypeRecord>;
  readonly serving: Collection<ServingRecord>;
  readonly changes: Collection<ChangeDocument>;
  /** The marks of assets by which deletions conflict with new references; see `writes/deletion-rules.ts`. */
  readonly marks: Collection<{ readonly _id: string; readonly at: Date }>;
  /** Two documents about the store as a whole, one with the highest time, one with the names of fields, and one while it is being filled. */
  readonly store: Collection<FormatRecord | NumberingRecord | NamesRecord | LoadRecord | ClockRecord>;
  openBucket(): FileBucket;
  /** The `appName` of the URL, or a random name. */
  readonly name: string;
  /** Whether the server supports transactions. */
  readonly transactions: boolean;
  /**
   * Runs work in a transaction, and repeats it after a conflict with another one. Uses the given session, or starts one.
   * Errors: those of the work, the driver's.
   */
  inTransaction<Result>(
    work: (session: ClientSession) => Promise<Result>,
    session?: ClientSession,
  ): Promise<Result>;
  startSession(): ClientSession;
  /** Ends the transaction of a session, of any process. */
  killSession(id: Binary): Promise<void>;
  /** Reads the server's clock. */
  readClock(): Promise<Date>;
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** Timeouts for options that the URL does not set, so that an unreachable server is noticed soon. */
const timeoutsMs = {
  serverSelectionTimeoutMS: 5_000,
  connectTimeoutMS: 5_000,
  waitQueueTimeoutMS: operationLimitMs,
};

const guarantees: MongoClientOptions = {
  writeConcern: { w: 'majority', journal: true, wtimeoutMS: operationLimitMs },
  readConcern: { level: 'local' },
  readPreference: 'primary',
  retryWrites: true,
};

/** Connects to the database of a URL. Errors: bad_config for a malformed URL, the driver's. */
export async function openDatabase(url: string): Promise<Database> {
  const client = createClient(url);
  try {
    await client.connect();
    const db = client.db();
    const hello = await db.command({ hello: 1 });
    return {
      assets: db.collection('assets'),
      types: db.collection('types'),
      serving: db.collection('serving'),
      changes: db.collection('changes'),
      marks: db.collection('marks'),
      store: db.collection('store'),
      openBucket: () => ({
        bucket: new GridFSBucket(db, { bucketName: 'files' }),
        chunks: db.collection('files.chunks'),
        uploads: db.collection('files.uploads'),
      }),
      name: client.options.appName ?? randomUUID(),
      transactions: hello.setName !== undefined || hello.msg === 'isdbgrid',
      inTransaction: (work, session) => inTransaction({ client, session }, work),
      startSession: () => client.startSession(),
      async killSession(id) {
        await client.db('admin').command({ killSessions: [{ id }] });
      },
      readClock: async () => (await db.command({ hello: 1 })).localTime,
      ping: () => withinLimit(() => ping(db)),
      close: () => client.close(),
    };
  } catch (error) {
    await client.close();
    throw error;
  }
}

function createClient(url: string): MongoClient {
  const urlOptions = new URLSearchParams(url.split('?')[1]?.toLowerCase());
  const defaults = Object.entries(timeoutsMs).filter(([name]) => !urlOptions.has(name.toLowerCase()));
  try {
    return new MongoClient(url, { ...guarantees, ...Object.fromEntries(defaults) });
  } catch {
    // The driver's error may quote the URL, and with it a password.
    throw badConfig([{ path: 'The MongoDB URL', message: 'is not one the driver understands' }]);
  }
}

async function ping(db: Db): Promise<void> {
  await db.command({ ping: 1 });
}
