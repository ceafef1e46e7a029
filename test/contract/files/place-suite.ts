/** The contract of places of files: every place runs all of it. */
import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isDamagedFile } from '../../../src/base/errors.ts';
import { isIntact, openRecorded } from '../../../src/files/recorded-bytes.ts';
import { checkPlace, type FilePlace } from '../../../src/store/file-place.ts';

/** A new, empty place; `remove` deletes it. */
export interface PlaceHarness {
  readonly place: FilePlace;
  remove(): Promise<void>;
}

const megabyte = 1_048_576;

/** Runs the contract on a place. */
export function describePlace(name: string, createHarness: () => Promise<PlaceHarness>): void {
  describe(`a place of files: ${name}`, () => {
    let harness: PlaceHarness;
    let place: FilePlace;
    beforeAll(async () => {
      harness = await createHarness();
      place = harness.place;
    });
    afterAll(async () => {
      await place.close();
      await harness.remove();
    });

    const read = async (key: string, range?: { start: number; end: number }) => {
      const opened = await place.read(key, range);
      return opened && buffer(opened.stream);
    };
    const keysOf = async () => {
      const keys: string[] = [];
      for await (const { key } of place.list()) keys.push(key);
      return keys.sort();
    };

    it('returns the bytes that were written, and parts of them', async () => {
      const bytes = randomBytes(700_000);
      const before = Date.now();
      await place.write('whole', Readable.from(cut(bytes, 65_536)));
      expect((await read('whole'))?.equals(bytes)).toBe(true);
      const size = bytes.length;
      const ranges = [
        [0, 0],
        [0, size - 1],
        [size - 1, size - 1],
        [261_119, 261_121],
        [100_000, 600_000],
      ];
      for (const [start = 0, end = 0] of ranges) {
        expect((await read('whole', { start, end }))?.equals(bytes.subarray(start, end + 1))).toBe(true);
      }
      const found = await place.find('whole');
      expect(found).toMatchObject({ key: 'whole', bytes: size });
      // Some places have whole seconds.
      expect(Math.abs((found?.writtenAt ?? 0) - before)).toBeLessThan(60_000);
    });

    it('says how many bytes the whole file has, and so notices one that its record does not fit', async () => {
      const bytes = randomBytes(1000);
      const recorded = { key: 'sized', bytes: 1000, hash: createHash('sha256').update(bytes).digest('hex') };
      const range = { start: 500, end: 509 };
      await place.write('sized', Readable.from([bytes]));
      expect((await place.read('sized', range))?.bytes).toBe(1000);
      expect(await isIntact(place, recorded)).toBe(true);
      const flipped = Buffer.from(bytes);
      flipped[0] = (bytes[0] ?? 0) ^ 1;
      for (const other of [bytes.subarray(0, 100), Buffer.concat([bytes, bytes]), flipped]) {
        await place.delete('sized');
        await place.write('sized', Readable.from([other]));
        expect(await isIntact(place, recorded)).toBe(false);
        if (other !== flipped)
          for (const part of [undefined, range])
            await expect(openRecorded(place, recorded, part)).rejects.toSatisfy(isDamagedFile);
      }
      await place.delete('sized');
      expect(await isIntact(place, recorded)).toBe(false);
    });

    it('keeps a file without bytes', async () => {
      await place.write('empty', Readable.from([]));
      expect(await place.find('empty')).toMatchObject({ bytes: 0 });
      expect(await read('empty')).toEqual(Buffer.alloc(0));
    });

    it('has nothing under a key that was never written, or is deleted', async () => {
      await place.write('deleted', Readable.from([Buffer.from('bytes')]));
      await place.delete('deleted');
      await place.delete('deleted');
      for (const key of ['deleted', 'never']) {
        expect(await place.find(key)).toBeUndefined();
        expect(await place.read(key)).toBeUndefined();
      }
      expect(await keysOf()).not.toContain('deleted');
    });

    it('lists all files', async () => {
      const keys = Array.from({ length: 30 }, (_, index) => `listed-${String(index).padStart(2, '0')}`);
      await Promise.all(keys.map((key) => place.write(key, Readable.from([Buffer.from(key)]))));
      expect((await keysOf()).filter((key) => key.startsWith('listed-'))).toEqual(keys);
      for await (const { key, bytes } of place.list()) {
        if (key.startsWith('listed-')) expect(bytes).toBe(9);
      }
    });

    it.each([
      ['at once', 0],
      ['after some bytes', 3 * megabyte],
      ['after many bytes', 20 * megabyte],
    ])('rejects with the error of a stream that fails %s, and keeps nothing', async (when, size) => {
      const key = `failed-${when.replaceAll(' ', '-')}`;
      const failure = new Error('the sender disconnected');
      const bytes = Readable.from(
        (async function* () {
          for (let sent = 0; sent < size; sent += megabyte) yield Buffer.alloc(megabyte);
          throw failure;
        })(),
      );
      await expect(place.write(key, bytes)).rejects.toBe(failure);
      expect(await place.find(key)).toBeUndefined();
      expect(await place.read(key)).toBeUndefined();
      expect(await keysOf()).not.toContain(key);
    });

    it('rejects when the stream is destroyed, and keeps nothing', async () => {
      const bytes = new Readable({ read() {} });
      bytes.push(Buffer.alloc(megabyte));
      const writing = place.write('aborted', bytes);
      setTimeout(() => bytes.destroy(), 50);
      await expect(writing).rejects.toThrow();
      expect(await place.find('aborted')).toBeUndefined();
      expect(await keysOf()).not.toContain('aborted');
      await place.write('aborted', Readable.from([Buffer.from('again')]));
      expect((await read('aborted'))?.toString()).toBe('again');
    });

    it('keeps one of the files that are written to a key at once, whole', async () => {
      const candidates = [1, 2, 3].map((fill) => Buffer.alloc(600_000, fill));
      const writes = candidates.map((bytes) => place.write('same', Readable.from(cut(bytes, 10_000))));
      const outcomes = await Promise.allSettled(writes);
      expect(outcomes.map(({ status }) => status)).toContain('fulfilled');
      const kept = await read('same');
      expect(candidates.some((bytes) => kept?.equals(bytes))).toBe(true);
      await place.delete('same');
      expect(await place.read('same')).toBeUndefined();
    });

    it.each([
      '../outside',
      '/etc/x',
      '..',
      '.',
      '',
      'a/b',
      'a\\b',
      'a\0b',
      'A',
      'x'.repeat(101),
      '-a',
      'a.b',
    ])('refuses the key %j', async (key) => {
      const refusal = /no key of a file/;
      await expect(place.write(key, Readable.from([Buffer.from('x')]))).rejects.toThrow(refusal);
      await expect(Promise.try(() => place.read(key))).rejects.toThrow(refusal);
      await expect(Promise.try(() => place.find(key))).rejects.toThrow(refusal);
      await expect(Promise.try(() => place.delete(key))).rejects.toThrow(refusal);
    });

    it('streams: 64 MB of a file are never in memory together', async () => {
      const size = 64 * megabyte;
      setFlagsFromString('--expose-gc');
      const collectGarbage: () => void = runInNewContext('gc');
      const measure = () => {
        collectGarbage();
        return process.memoryUsage().arrayBuffers;
      };
      const idle = measure();
      let most = 0;
      let passed = 0;
      const watch = (bytes: number) => {
        passed += bytes;
        if (passed % (8 * megabyte) < bytes) most = Math.max(most, measure() - idle);
      };
      const sent = createHash('sha256');
      await place.write(
        'large',
        Readable.from(
          (async function* () {
            for (let position = 0; position < size; position += 65_536) {
              const chunk = Buffer.alloc(65_536, position / 65_536);
              sent.update(chunk);
              watch(chunk.length);
              yield chunk;
            }
          })(),
        ),
      );
      const received = createHash('sha256');
      for await (const chunk of (await place.read('large'))?.stream ?? []) {
        received.update(chunk);
        watch(chunk.length);
      }
      expect(passed).toBe(2 * size);
      expect(received.digest('hex')).toBe(sent.digest('hex'));
      expect(most).toBeLessThan(40 * megabyte);
    });

    it('releases a stream that is not read to its end', async () => {
      const bytes = (await place.read('large'))?.stream;
      bytes?.once('data', () => bytes.destroy());
      await new Promise((resolve) => bytes?.once('close', resolve));
      await place.delete('large');
      expect(await place.find('large')).toBeUndefined();
    });

    it('passes its check, which leaves nothing', async () => {
      const before = await keysOf();
      await checkPlace(place);
      expect(await keysOf()).toEqual(before);
    });
  });
}

function* cut(bytes: Buffer, size: number): Generator<Buffer> {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}
