/**
 * Takes references to drafts out of what is published, so that `content.jsonl` can be imported without `drafts.jsonl`.
 */
import { rename } from 'node:fs/promises';
import type { Json, JsonObject } from '../reader.ts';
import { readLines } from '../source/read-lines.ts';
import { openLines } from './lines.ts';
import type { Report } from './report.ts';

/** Rewrites a file of lines; `drafts` are the `_id`s of drafts. */
export async function removeReferences(
  path: string,
  { drafts, report }: { drafts: ReadonlySet<string>; report: Report },
): Promise<void> {
  if (drafts.size === 0) return;
  const rewritten = openLines(`${path}.new`);
  for await (const line of readLines(path)) {
    const isDraft = (value: JsonObject) => typeof value._ref === 'string' && drafts.has(value._ref);
    const asset = line.includes('"_ref":') ? (JSON.parse(line) as JsonObject) : undefined;
    const changed = asset && withoutReferences(asset, isDraft);
    if (changed && changed !== asset)
      report.lose({
        kind: 'asset whose references to drafts are left out',
        example: `${asset._type} ${asset._id}`,
      });
    await rewritten.write(changed && changed !== asset ? `${JSON.stringify(changed)}\n` : `${line}\n`);
  }
  await rewritten.end();
  await rename(`${path}.new`, path);
}

/** Leaves members and items out; returns the same value if there are none. */
function withoutReferences<Value extends Json>(
  value: Value,
  isLeftOut: (value: JsonObject) => boolean,
): Value {
  if (typeof value !== 'object' || value === null) return value;
  const isObject = (one: Json): one is JsonObject =>
    typeof one === 'object' && one !== null && !Array.isArray(one);
  const entries = Object.entries<Json>(value as JsonObject);
  const kept = entries
    .filter(([, member]) => !isObject(member) || !isLeftOut(member))
    .map(([name, member]) => [name, withoutReferences(member, isLeftOut)] as const);
  const isSame =
    kept.length === entries.length && kept.every(([, member], index) => member === entries[index]?.[1]);
  if (isSame) return value;
  // A list stays a list, and an object an object.
  return (Array.isArray(value) ? kept.map(([, member]) => member) : Object.fromEntries(kept)) as Value;
}
