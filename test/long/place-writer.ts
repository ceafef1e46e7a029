/**
 * Writes files to a place until it is killed. It prints a line with the key and the hash of each before it begins, and `done` when it is written.
 *
 * Arguments: a location as JSON, and a number that tells runs apart.
 */
import { createHash, randomInt } from 'node:crypto';
import { writeSync } from 'node:fs';
import { Readable } from 'node:stream';
import { openFilePlace } from '../../src/store/open-store.ts';

const [, , location = '', run = ''] = process.argv;
const place = await openFilePlace(JSON.parse(location));
const print = (line: string) => writeSync(1, `${line}\n`);

for (let number = 0; ; number++) {
  const key = `run-${run}-${number}`;
  const bytes = Buffer.alloc(randomInt(1, 600_000), `${key} `);
  print(`begin ${key} ${createHash('sha256').update(bytes).digest('hex')}`);
  const chunks = Array.from({ length: Math.ceil(bytes.length / 65_536) }, (_, index) =>
    bytes.subarray(index * 65_536, (index + 1) * 65_536),
  );
  await place.write(key, Readable.from(chunks));
  print(`done ${key}`);
  if (number % 3 === 2) {
    print(`delete ${key}`);
    await place.delete(key);
  }
}
