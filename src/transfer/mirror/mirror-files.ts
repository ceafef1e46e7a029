/**
 * Keeps the files of a mirror: copies those that assets name to a folder, and from there into the store that is the target.
 */
import type { Asset } from '../../model/content-type.ts';
import type { HashedFiles } from '../files/hashed-files.ts';
import { findNamedFiles, type NamedFile } from '../files/named-files.ts';
import type { TargetFiles } from '../files/target-files.ts';

/** The files of a mirror. */
export interface MirrorFiles {
  /** Copies the files that assets name and that are not there yet. Errors: transfer_failed, those of the target and the file system. */
  keep(assets: readonly Asset[]): Promise<void>;
}

/** The store that gets the files. */
export interface StoreFilesTarget {
  readonly files: TargetFiles;
  /** Records that assets use files, so that a server of the store does not delete them. */
  recordUses(uses: readonly { readonly hash: string; readonly asset: string }[]): Promise<void>;
}

/** Creates it. */
export function createMirrorFiles({
  source,
  folder,
  store,
  report,
}: {
  source: TargetFiles;
  folder: HashedFiles;
  store?: StoreFilesTarget | undefined;
  /** Tells the user something. */
  report(message: string): void;
}): MirrorFiles {
  async function copy({ hash, name = hash }: NamedFile): Promise<void> {
    const isThere = (await folder.has(hash)) || (await source.read(hash, (bytes) => folder.add(hash, bytes)));
    if (!isThere) return report(`the source has no intact file ${hash}, which assets name`);
    if (!store || (await store.files.has(hash))) return;
    await store.files.upload({ hash, name, path: folder.pathOf(hash) });
  }

  return {
    async keep(assets) {
      const named = assets.map((asset) => ({ asset: asset._id, files: findNamedFiles(asset) }));
      const files = new Map(named.flatMap((one) => [...one.files]));
      for (const file of files.values()) await copy(file);
      await store?.recordUses(
        named.flatMap(({ asset, files: used }) => [...used.keys()].map((hash) => ({ hash, asset }))),
      );
    },
  };
}
