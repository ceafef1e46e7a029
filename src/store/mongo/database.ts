/**
 * The connection to MongoDB, and the two collections there are.
 *
 * Writes are acknowledged by a majority and journaled. Reads ask the primary and are `local`: each sees every write that was
 * acknowledged before, also those of other processes; right after a failover it may have seen one that is then rolled back,
 * which no acknowledged write is.
 */
import { type ClientSession, type Collection, type Db, MongoClient, type MongoClientOptions } from 'mongodb';
import { badConfig } from '../../base/errors.ts';
import type { AssetDocument } from './document.ts';

/** What is known of a content type; `_id` is its class name. */
export interface TypeRecord {
  readonly _id: string;
  /** Names of the indexes it wants. */
  readonly indexes?: readonly string[];
  /** Fingerprint of the words of its assets. */
  readonly words?: string;
  /** How many of its assets were ever deleted. */
  readonly deletions?: number;
}

/** An open connection. */
export interface Database {
  readonly assets: Collection<AssetDocument>;
  readonly types: Collection<TypeRecord>;
  /** Whether several writes may be one. */
  readonly transactions: boolean;
  /** Runs work in a transaction, again when another one was in its way. Errors: those of the work, the driver's. */
  inTransaction<Result>(work: (session: ClientSession) => Promise<Result>): Promise<Result>;
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** Used where the URL says nothing; a server that is gone is noticed within these. */
const timeoutsMs = { serverSelectionTimeoutMS: 5_000, connectTimeoutMS: 5_000 };

const guarantees: MongoClientOptions = {
  writeConcern: { w: 'majority', journal: true },
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
      transactions: hello.setName !== undefined || hello.msg === 'isdbgrid',
      inTransaction: (work) => client.withSession((session) => session.withTransaction(work)),
      ping: () => ping(db),
      close: () => client.close(),
    };
  } catch (error) {
    await client.close();
    throw error;
  }
}

function createClient(url: string): MongoClient {
  const given = new URLSearchParams(url.split('?')[1]?.toLowerCase());
  const missing = Object.entries(timeoutsMs).filter(([name]) => !given.has(name.toLowerCase()));
  try {
    return new MongoClient(url, { ...guarantees, ...Object.fromEntries(missing) });
  } catch {
    // The driver's error may quote the URL, and with it a password.
    throw badConfig([{ path: 'The MongoDB URL', message: 'is not one the driver understands' }]);
  }
}

async function ping(db: Db): Promise<void> {
  await db.command({ ping: 1 });
}
