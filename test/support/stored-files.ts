/** Files of a store, stored without a server: their bytes in the place of files, their records, and assets that name them. */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { storedCatalog } from '../../src/access/system-types.ts';
import { fileClass, fileRecordId } from '../../src/content/files/file-record.ts';
import type { Catalog, JsonObject } from '../../src/model/content-type.ts';
import type { FilePlace } from '../../src/store/file-place.ts';
import { openFilePlace } from '../../src/store/open-store.ts';
import type { ContentStore } from '../../src/store/port.ts';
import { contentOver, openStoreAt } from './content.ts';
import type { StoreLocation } from './stores.ts';
import { systemCatalog } from './types.ts';

/** An open store with its place of files. */
export interface StoreWithFiles {
  readonly store: ContentStore;
  readonly place: FilePlace;
  /** Stores a file that was uploaded `ageMs` ago; returns its hash. Its key is `key-` and its name. */
  upload(name: string, bytes?: string | Buffer, ageMs?: number): Promise<string>;
  /** Creates an asset and returns its `_id`. */
  create(asset: JsonObject & { readonly _type: string }): Promise<string>;
  /** Finds the key of a file by its hash. */
  find(hash: string): Promise<string>;
  close(): Promise<void>;
}

/** Opens the store at a location for content types. */
export async function openStoreWithFiles(location: StoreLocation, catalog: Catalog): Promise<StoreWithFiles> {
  const store = await openStoreAt(location, storedCatalog(systemCatalog(), catalog));
  const place = await openFilePlace(location.config);
  const [content, system] = [contentOver(catalog, store), contentOver(systemCatalog(), store)];
  return {
    store,
    place,
    async upload(name, given = `the bytes of ${name}`, ageMs = 0) {
      const bytes = Buffer.from(given);
      const hash = createHash('sha256').update(bytes).digest('hex');
      const key = `key-${name.replaceAll('.', '-')}`;
      await place.write(key, Readable.from([bytes]));
      const facts = { name, mediaType: 'text/plain', bytes: bytes.length, uploadedAt: Date.now() - ageMs };
      await system.create({ _id: fileRecordId(hash), _type: fileClass, hash, key, ...facts }, {});
      return hash;
    },
    create: async (asset) => (await content.create(asset, {})).asset._id,
    find: async (hash) => String((await system.get(fileRecordId(hash), {})).asset.key),
    async close() {
      await place.close();
      await store.close();
    },
  };
}
