/** Writes assets in a MongoDB transaction, reports that on standard output and waits to be killed. Arguments: URL, asset ids. */
import { MongoClient } from 'mongodb';

const [url = '', ...ids] = process.argv.slice(2);
const client = await MongoClient.connect(url);
const session = client.startSession();
session.startTransaction();
const assets = client.db().collection<{ _id: string; seen: number }>('assets');
for (const _id of ids) await assets.updateOne({ _id }, { $inc: { seen: 1 } }, { session });
console.log('open');
setInterval(() => {}, 1_000);
