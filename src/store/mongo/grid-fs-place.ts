/**
 * A place of files in GridFS, in the database of the store; the key is the name of a file. Each write has the guarantees of `database.ts`.
 *
 * GridFS shows a file once all its chunks are stored. An upload that a killed process left is known by its document in `uploads`, and the
 * first write of a later process removes its chunks a day after.
 */
import { finished } from 'node:stream/promises';
import { type GridFSBucketWriteStream, type GridFSFile, ObjectId } from 'mongodb';
import { storeFailure } from '../../base/errors.ts';
import { systemClock } from '../../base/runtime.ts';
import { assertKey, type FilePlace, type PlacedFile } from '../file-place.ts';
import { type FileBucket, openDatabase } from './database.ts';
import { toStoreError } from './map-error.ts';

const daySeconds = 86_400;

/** Opens the place in the database of a URL. Errors: bad_config, store_busy, store_failure. */
export async function createGridFsPlace(url: string): Promise<FilePlace> {
  const database = await attempt('open', openDatabase(url));
  const { bucket, uploads } = database.openBucket();
  const findAll = async (key: string) => {
    assertKey(key);
    return attempt('find', bucket.find({ filename: key }).toArray());
  };
  let cleaned: Promise<void> | undefined;
  return {
    description: 'GridFS in the database of the store',
    isOwn: true,
    async write(key, bytes) {
      const _id = new ObjectId();
      const upload = bucket.openUploadStreamWithId(_id, key);
      // The callbacks of its calls have the error, too.
      upload.on('error', () => undefined);
      try {
        if ((await findAll(key)).length > 0) throw storeFailure('write of files', new Error(`${key} exists`));
        cleaned ??= removeOld({ bucket, uploads });
        await attempt('write', cleaned);
        await attempt('write', uploads.insertOne({ _id }));
        for await (const chunk of bytes) await attempt('write', put(upload, chunk));
        await attempt('write', end(upload));
      } catch (error) {
        bytes.destroy();
        await upload.abort().catch(() => undefined);
        throw error;
      }
      await attempt('write', uploads.deleteOne({ _id }));
    },
    async read(key, range) {
      const [file] = await findAll(key);
      return file && bucket.openDownloadStream(file._id, range && { start: range.start, end: range.end + 1 });
    },
    async find(key) {
      const [file] = await findAll(key);
      return file && toPlaced(file);
    },
    async delete(key) {
      for (const { _id } of await findAll(key)) await attempt('delete', bucket.delete(_id));
    },
    async *list() {
      const cursor = bucket.find();
      for (;;) {
        const file = await attempt('list', cursor.next());
        if (!file) return;
        yield toPlaced(file);
      }
    },
    close: database.close,
  };
}

const toPlaced = ({ filename, length, uploadDate }: GridFSFile): PlacedFile => ({
  key: filename,
  bytes: length,
  writtenAt: uploadDate.getTime(),
});

/** Writes a chunk; resolves when the bucket is ready for the next one, with no insert in progress. */
const put = (upload: GridFSBucketWriteStream, chunk: Buffer): Promise<void> =>
  new Promise((resolve, reject) => {
    upload.write(chunk, (error) => (error ? reject(error) : resolve()));
  });

/** Writes the rest of the chunks, and then the file. */
const end = (upload: GridFSBucketWriteStream): Promise<unknown> => finished(upload.end());

/** Removes the chunks of uploads that ended without a file. */
async function removeOld({ bucket, uploads }: FileBucket): Promise<void> {
  const old = { _id: { $lt: ObjectId.createFromTime(Math.floor(systemClock.nowMs() / 1000) - daySeconds) } };
  for await (const { _id } of uploads.find(old)) {
    const isComplete = (await bucket.find({ _id }).toArray()).length > 0;
    // Deletes the chunks, and then says that there was no file.
    if (!isComplete) await bucket.delete(_id).catch(() => undefined);
    await uploads.deleteOne({ _id });
  }
}

async function attempt<Result>(operation: string, running: Promise<Result>): Promise<Result> {
  try {
    return await running;
  } catch (error) {
    throw toStoreError(`${operation} of files`, error);
  }
}
