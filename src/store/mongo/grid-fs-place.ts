/**
 * A place of files in GridFS, in the database of the store; the key is the name of a file. Each write has the guarantees of `database.ts`.
 *
 * GridFS shows a file once all its chunks are stored. An upload that a killed process left is known by its document in `uploads`, and the
 * first write of a later process removes its chunks a day after.
 */
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { type GridFSBucketWriteStream, type GridFSFile, ObjectId } from 'mongodb';
import { damagedFile, storeFailure } from '../../base/errors.ts';
import { systemClock } from '../../base/runtime.ts';
import { assertKey, type ByteRange, type FilePlace, type PlacedFile } from '../file-place.ts';
import { type FileBucket, openDatabase } from './database.ts';
import { toStoreError } from './map-error.ts';

const daySeconds = 86_400;

/** Opens the place in the database of a URL. Errors: bad_config, store_busy, store_failure. */
export async function createGridFsPlace(url: string): Promise<FilePlace> {
  const database = await attempt('open', openDatabase(url));
  const { bucket, chunks, uploads } = database.openBucket();
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
      if (!file) return undefined;
      return {
        bytes: file.length,
        stream: Readable.from(readChunks(chunks, file, range), { objectMode: false }),
      };
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

/** The chunks of a quarter of a megabyte that are in memory at once: the stream of the driver reads 16 MB at once. */
const chunksAtOnce = 16;

/** Reads the bytes of a file, or those of a range, both ends included. Errors: that of `damagedFile`, store_busy, store_failure. */
async function* readChunks(
  chunks: FileBucket['chunks'],
  { _id, length, chunkSize }: GridFSFile,
  { start, end }: ByteRange = { start: 0, end: length - 1 },
): AsyncGenerator<Buffer> {
  const [first, last] = [Math.floor(start / chunkSize), Math.floor(end / chunkSize)];
  const ofRange = { files_id: _id, n: { $gte: first, $lte: last } };
  const cursor = chunks.find(ofRange).sort({ n: 1 }).batchSize(chunksAtOnce);
  try {
    for (let n = first; n <= last; n++) {
      const chunk = await attempt('read', cursor.next());
      const from = n * chunkSize;
      if (chunk?.n !== n || chunk.data.length() !== Math.min(chunkSize, length - from))
        throw damagedFile(`chunk ${n} of the file ${_id} is missing or damaged`);
      yield Buffer.from(chunk.data.buffer).subarray(Math.max(0, start - from), end + 1 - from);
    }
  } finally {
    await cursor.close();
  }
}

/** Removes the chunks of uploads that ended without a file. */
async function removeOld({ bucket, uploads }: Pick<FileBucket, 'bucket' | 'uploads'>): Promise<void> {
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
