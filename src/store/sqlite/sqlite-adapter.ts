/**
 * The adapter of SQLite: a store in one file of the data folder.
 */
import { existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { badConfig } from '../../base/errors.ts';
import { systemReason } from '../../base/system-error.ts';
import type { StoreAdapter } from '../store-adapter.ts';

/** Creates the adapter for a data folder. */
export function createSqliteAdapter(dataDir: string): StoreAdapter {
  const file = join(dataDir, 'colophon.db');
  const exists = () => existsSync(file);
  const createFolder = () => {
    try {
      mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    } catch (error) {
      const reason = systemReason(error);
      if (reason === undefined) throw error;
      throw badConfig([{ path: 'COLOPHON_DATA_DIR', message: `is ${dataDir}, which ${reason}` }]);
    }
  };
  const getFile = () => {
    if (!exists()) throw badConfig([{ path: file, message: 'does not exist' }]);
    return file;
  };
  return {
    name: 'SQLite',
    location: resolve(dataDir),
    folder: dataDir,
    exists,
    async open({ openWriterChannel, ...options }) {
      if (!options.isReadOnly) createFolder();
      const { createSqliteStore } = await import('./sqlite-store.ts');
      return createSqliteStore({ ...options, file, writer: openWriterChannel?.() });
    },
    async readNames() {
      if (!exists()) return undefined;
      const { readNames } = await import('./store-records.ts');
      return readNames(file);
    },
    async replaceNames(change) {
      createFolder();
      const { replaceNames } = await import('./store-records.ts');
      return replaceNames(file, change);
    },
    async readTypes() {
      if (!exists()) return { populated: [] };
      const { readTypes } = await import('./store-records.ts');
      return readTypes(file);
    },
    async dump(options) {
      const { createSqliteDump } = await import('./copy/dump-file.ts');
      return createSqliteDump(getFile(), options);
    },
    async load({ isReplacing }) {
      createFolder();
      const { createSqliteLoader } = await import('./copy/load-file.ts');
      return createSqliteLoader({ file, isReplacing });
    },
    async inspect({ catalog }) {
      const { createSqliteInspection } = await import('./inspection/inspect-file.ts');
      return createSqliteInspection(getFile(), catalog);
    },
    async openFilePlace() {
      const { createFileFolder } = await import('./file-folder.ts');
      return createFileFolder(join(dataDir, 'files'));
    },
    async shareWriter(logger) {
      const { createWriterHost } = await import('./writer/writer-host.ts');
      return createWriterHost({ file, logger });
    },
  };
}
