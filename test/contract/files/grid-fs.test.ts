/** The contract of places of files in GridFS, and what only GridFS has. */
import { Readable } from 'node:stream';
import { MongoClient, ObjectId } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { openFilePlace } from '../../../src/store/open-store.ts';
import { mongodbUrl } from '../../support/mongo-url.ts';
import { mongoLocation } from '../../support/stores.ts';
import { describePlace } from './place-suite.ts';

const serverUrl = mongodbUrl();

describe.skipIf(serverUrl === '')('on MongoDB', () => {
  describePlace('GridFS', async () => {
    const { config, remove } = mongoLocation(serverUrl);
    return { place: await openFilePlace(config), remove };
  });

  it('removes the chunks of killed uploads after a day, and only these', async () => {
    const { config, remove } = mongoLocation(serverUrl);
    const client = await MongoClient.connect(config.mongodbUrl ?? '');
    const place = await openFilePlace(config);
    const write = (key: string) => place.write(key, Readable.from([Buffer.from('bytes')]));
    await write('kept');
    const db = client.db();
    const kept = (await db.collection('files.files').findOne())?._id ?? expect.fail('no file');
    const old = ObjectId.createFromTime(Date.now() / 1000 - 90_000);
    const fresh = new ObjectId();
    const uploads = [old, fresh, kept].map((_id) => ({ _id }));
    await db.collection('files.uploads').insertMany(uploads);
    const halves = [old, fresh].map((files_id) => ({ files_id, n: 0, data: Buffer.from('half') }));
    await db.collection('files.chunks').insertMany(halves);
    const later = await openFilePlace(config);
    await later.write('next', Readable.from([Buffer.from('bytes')]));
    const left = await db.collection('files.chunks').distinct('files_id');
    expect(left.map(String)).toContain(String(fresh));
    expect(left.map(String)).not.toContain(String(old));
    expect(await place.find('kept')).toMatchObject({ bytes: 5 });
    await Promise.all([place.close(), later.close(), client.close()]);
    await remove();
  });

  it('is busy when the server cannot be reached', async () => {
    const unreachable = 'mongodb://127.0.0.1:9/x?serverSelectionTimeoutMS=200';
    const opening = openFilePlace({ dataDir: 'unused', mongodbUrl: unreachable });
    await expect(opening).rejects.toMatchObject({ code: 'store_busy' });
  });
});
