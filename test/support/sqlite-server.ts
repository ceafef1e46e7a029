/** A server on SQLite, with a second connection to its database file, by which a test locks or breaks it. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { credentialsOf, environmentOf, type ServingProcess, startServing } from './command-line.ts';
import { sqliteLocation } from './stores.ts';

/** The headers that its first API client sends. */
export const credentials = { 'X-Client-Id': 'tester', 'X-Client-Secret': 'tested' } as const;

/** The server and the second connection, as of another program. */
export interface SharedDatabase {
  readonly serving: ServingProcess;
  readonly other: DatabaseSync;
  /** Stops the server and removes its files. */
  remove(): Promise<void>;
}

/** Starts the server. */
export async function startOnSharedDatabase(): Promise<SharedDatabase> {
  const location = sqliteLocation();
  const serving = await startServing({
    ...environmentOf(location),
    ...credentialsOf(credentials),
  });
  const other = new DatabaseSync(join(location.config.dataDir, 'colophon.db'));
  return {
    serving,
    other,
    async remove() {
      other.close();
      await serving.stop();
      await location.remove();
    },
  };
}
