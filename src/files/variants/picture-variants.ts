/**
 * The variants of pictures: each is made once, when it is first asked for, and then kept.
 *
 * Few are made at a time, in the order in which they were requested, and a limited number may wait, so that requests for many pictures
 * do not take the processor from other requests.
 */
import { availableParallelism } from 'node:os';
import { Readable } from 'node:stream';
import { LRUCache } from 'lru-cache';
import { isDomainError, notFound, tooManyRequests } from '../../base/errors.ts';
import { type Metric, toNumberMetric } from '../../base/metrics/metric.ts';
import type { FileRecord } from '../../content/files/file-record.ts';
import type { ByteRange } from '../../store/file-place.ts';
import type { StoredFiles } from '../stored-files.ts';
import type { MakeVariant } from './make-variant.ts';
import { type PictureVariant, variantName } from './picture-variant.ts';
import type { VariantCache } from './variant-cache.ts';

/** A variant that is ready; it is opened once, or closed. */
export interface ReadyVariant {
  readonly bytes: number;
  open(range?: ByteRange): Readable;
  close(): Promise<void>;
}

/** The variants. */
export interface PictureVariants {
  /**
   * Returns a variant of a picture, which it makes unless it is kept. Errors: not_supported, too_many_requests when too many wait,
   * invalid_parameter for a picture that cannot be decoded, not_found when its bytes are gone, that of `damagedFile` when they are damaged.
   */
  get(file: FileRecord, variant: PictureVariant): Promise<ReadyVariant>;
  /** Removes the variants that are kept of a picture. */
  remove(hash: string): Promise<void>;
  collect(): Metric[];
}

/** Leaves a core to the requests. */
const maxAtOnce = Math.max(1, Math.min(2, availableParallelism() - 1));
const maxWaiting = 100;

/** For how long a picture that could not be decoded is refused without another attempt, and how many are remembered. */
const refusals = { max: 1000, ttl: 600_000 };

/** Creates the variants. `cache` is absent where none are kept. */
export function createPictureVariants({
  files,
  make,
  cache,
}: {
  files: Pick<StoredFiles, 'open'>;
  make: MakeVariant;
  cache: VariantCache | undefined;
}): PictureVariants {
  const making = new Map<string, Promise<Buffer>>();
  const refused = new LRUCache<string, Error>(refusals);
  const waiting: (() => void)[] = [];
  let atWork = 0;
  let made = 0;

  async function takeTurn(): Promise<void> {
    if (atWork >= maxAtOnce) {
      if (waiting.length >= maxWaiting) throw tooManyRequests();
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else atWork++;
  }

  /** Hands the turn to the next one that waits. */
  function endTurn(): void {
    const next = waiting.shift();
    if (next) next();
    else atWork--;
  }

  async function makeNow(file: FileRecord, variant: PictureVariant): Promise<Buffer> {
    const known = refused.get(file.hash);
    if (known) throw known;
    await takeTurn();
    try {
      const source = await files.open(file);
      if (!source) throw notFound(file.hash, 'file');
      const bytes = await make(source, file, variant);
      made++;
      await cache?.keep(file.hash, variantName(variant), bytes);
      return bytes;
    } catch (error) {
      if (isDomainError(error, 'invalid_parameter')) refused.set(file.hash, error);
      throw error;
    } finally {
      endTurn();
    }
  }

  /** Makes a variant, or waits for another request that makes it already. */
  function makeOnce(file: FileRecord, variant: PictureVariant): Promise<Buffer> {
    const key = `${file.hash}/${variantName(variant)}`;
    const begun = making.get(key) ?? makeNow(file, variant).finally(() => making.delete(key));
    making.set(key, begun);
    return begun;
  }

  return {
    async get(file, variant) {
      const handle = await cache?.open(file.hash, variantName(variant));
      if (!handle) return toReady(await makeOnce(file, variant));
      const { size } = await handle.stat();
      return { bytes: size, open: (range) => handle.createReadStream(range), close: () => handle.close() };
    },
    remove: async (hash) => cache?.remove(hash),
    collect: () => [
      toNumberMetric({
        name: 'colophon_picture_variants_total',
        help: 'Variants of pictures that were made.',
        type: 'counter',
        combine: 'sum',
        value: made,
      }),
      toNumberMetric({
        name: 'colophon_picture_variants_waiting',
        help: 'Variants of pictures that wait to be made.',
        type: 'gauge',
        combine: 'sum',
        value: waiting.length,
      }),
    ],
  };
}

function toReady(bytes: Buffer): ReadyVariant {
  return {
    bytes: bytes.length,
    open: ({ start, end } = { start: 0, end: bytes.length - 1 }) =>
      Readable.from([bytes.subarray(start, end + 1)]),
    close: async () => {},
  };
}
