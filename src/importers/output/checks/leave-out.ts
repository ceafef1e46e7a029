/**
 * Leaves values out of assets, and writes them to `rejected.jsonl`, each with its path and why the server refuses it.
 */
import { rename } from 'node:fs/promises';
import type { Json, JsonObject } from '../../reader.ts';
import { isObject } from '../../reader.ts';
import { readLines } from '../../source/read-lines.ts';
import { openLines } from '../lines.ts';

/** A value to leave out. */
export interface Rejection {
  readonly path: string;
  readonly reason: string;
  /** Whether the asset goes as a whole, since it cannot be without the value. */
  readonly isWhole: boolean;
}

/** Rewrites files of assets without the values; `rejections` are those of each line, counted over all files. */
export async function leaveOut(
  paths: readonly string[],
  {
    rejections,
    write,
  }: {
    rejections: ReadonlyMap<number, readonly Rejection[]>;
    write: (line: string) => Promise<void>;
  },
): Promise<void> {
  let number = 0;
  for (const path of paths) {
    const rewritten = openLines(`${path}.new`);
    for await (const line of readLines(path)) {
      const rejected = rejections.get(number++) ?? [];
      if (rejected.length === 0) {
        await rewritten.write(`${line}\n`);
        continue;
      }
      // The importer has written the lines.
      const asset = JSON.parse(line) as JsonObject;
      const { _id = null, _type = null } = asset;
      const whole = rejected.find(({ isWhole }) => isWhole);
      if (whole) {
        const { path: at, reason } = whole;
        await write(`${JSON.stringify({ _id, _type, path: at, reason, asset })}\n`);
        continue;
      }
      // Items leave a list from its end, so that the places of those before them stay.
      for (const { path: at, reason } of rejected.toReversed()) {
        const value = takeAt(asset, at);
        if (value !== undefined) await write(`${JSON.stringify({ _id, _type, path: at, reason, value })}\n`);
      }
      await rewritten.write(`${JSON.stringify(asset)}\n`);
    }
    await rewritten.end();
    await rename(`${path}.new`, path);
  }
}

/** Removes the value at a path such as `blocks[0].text`, and returns it. Names may have dots in them. */
function takeAt(holder: JsonObject, path: string): Json | undefined {
  for (const [name, value] of Object.entries(holder)) {
    if (name === path) {
      delete holder[name];
      return value;
    }
    const rest = path.startsWith(name) ? path.slice(name.length) : '';
    if (rest.startsWith('.') && isObject(value)) return takeAt(value, rest.slice(1));
    const [whole = '', index = ''] = /^\[(\d+)\]/.exec(rest) ?? [];
    if (whole === '' || !Array.isArray(value)) continue;
    const item = value[Number(index)];
    const inItem = rest.slice(whole.length);
    if (inItem !== '') return isObject(item) ? takeAt(item, inItem.slice(1)) : undefined;
    value.splice(Number(index), 1);
    return item;
  }
  return undefined;
}
