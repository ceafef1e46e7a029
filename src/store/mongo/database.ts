/**
 * The connection to MongoDB, and the collections there are.
 *
 * Writes are acknowledged by a majority and journaled. Reads ask the primary and are `local`: each sees every write that was
 * acknowledged before, also those of other processes; right after a failover it may have seen one that is then rolled back,
 * which no acknowledged write is.
 */
import { type ClientSession, type Collection, type Db, MongoClient, type MongoClientOptions } from 'mongodb';
import { badConfig } from '../../base/errors.ts';
import type { ServedTypes } from '../served-types.ts';
import type { AssetDocument } from './documents/document.ts';
import { operationLimitMs, withinLimit } from './writes/time-limits.ts';
import { inTransaction } from './writes/transaction.ts';

/** What is known of a content type; `_id` is its class name. */
export interface TypeRecord {
  readonly _id: string;
  /** The text fields whose words all its assets have, as `text-fields.ts` describes them. */
  readonly texts?: readonly string[];
  /** As 0.1 has written it: a fingerprint of all its text fields. */
  readonly words?: string;
  /** How many of its assets were ever deleted. */
  readonly deletions?: number;
}

/** A process that serves the store, or, with the `_id` "cleaning", the one that is removing what nobody needs. */
export interface ServingRecord {
  readonly _id: string;
  /** When it last reported, by the server's clock. */
  readonly seen?: Date;
  /** Numbers those that came to serve; the greatest is that of the types last served. Absent while it starts. */
  readonly started?: number;
  /** Whether it has ended as it should. */
  readonly stopped?: boolean;
  /** Names of indexes. */
  readonly indexes?: readonly string[];
  /** Text fields with their class names, as `stored-words.ts` has them. */
  readonly texts?: readonly string[];
  readonly types?: ServedTypes;
}

/** An open connection. */
export interface Database {
  readonly assets: Collection<AssetDocument>;
  readonly types: Collection<TypeRecord>;
  readonly serving: Collection<ServingRecord>;
  /** Whether several writes may be one. */
  readonly transactions: boolean;
  /** Runs work in a transaction, again when another one was in its way. Errors: those of the work, the driver's. */
  inTransaction<Result>(work: (session: ClientSession) => Promise<Result>): Promise<Result>;
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** Used where the URL says nothing; a server that is gone is noticed within these. */
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
      transactions: hello.setName !== undefined || hello.msg === 'isdbgrid',
      inTransaction: (work) => inTransaction(client, work),
      ping: () => withinLimit(() => ping(db)),
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
