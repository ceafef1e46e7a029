/**
 * The adapter of MongoDB: a store in one database of a server, which the store creates itself.
 */
import type { StoreAdapter } from '../store-adapter.ts';

/** Creates the adapter for the database that a URL names. */
export const createMongoAdapter = (url: string): StoreAdapter => ({
  name: 'MongoDB',
  location: url.replace(/\/\/[^/@]*@/, '//'),
  exists: () => true,
  async open(options) {
    const { createMongoStore } = await import('./mongo-store.ts');
    return createMongoStore({ ...options, url });
  },
  async readNames() {
    const { readNames } = await import('./store-records.ts');
    return readNames(url);
  },
  async replaceNames(change) {
    const { replaceNames } = await import('./store-records.ts');
    return replaceNames(url, change);
  },
  async readTypes() {
    const { readTypes } = await import('./store-records.ts');
    return readTypes(url);
  },
  async dump(options) {
    const { createMongoDump } = await import('./copy/dump-database.ts');
    return createMongoDump(url, options);
  },
  async load(options) {
    const { createMongoLoader } = await import('./copy/load-database.ts');
    return createMongoLoader({ ...options, url });
  },
  async inspect({ catalog }) {
    const { createMongoInspection } = await import('./inspection/inspect-database.ts');
    return createMongoInspection(url, catalog);
  },
  async openFilePlace() {
    const { createGridFsPlace } = await import('./grid-fs-place.ts');
    return createGridFsPlace(url);
  },
});
