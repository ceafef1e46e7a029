/**
 * Makes types and content fit each other, until the server takes both. Rules that items break are left out of the types. A few odd values
 * of a field go to `rejected.jsonl`; with more of them, the field takes any value.
 */

import { rename } from 'node:fs/promises';
import { isFew, maxOdd } from '../../guess/value-kinds.ts';
import { isObject, type Json, type JsonObject, type WrittenType } from '../../reader.ts';
import { readLines, SourceError } from '../../source/source.ts';
import { openLines } from '../lines.ts';
import type { Report } from '../report.ts';
import { type ContentFlaw, checkContent, countValues, keyOfField, missingTarget } from './check-content.ts';
import { asJson, editField } from './edit-types.ts';
import { type FittedTypes, simplify } from './fit-types.ts';

/** The most rounds: each mends what the last one has brought to light, such as references to an asset that was left out. */
const maxRounds = 50;

/** How many items of a rule that is left out are named. */
const maxNamed = 20;

/** Fits types to content, and content to types; returns the types. Errors: SourceError where that does not end. */
export async function fitContent(
  paths: readonly string[],
  {
    fitted,
    report,
    reject,
  }: {
    fitted: Pick<FittedTypes, 'types' | 'catalog'>;
    report: Report;
    reject: (line: string) => Promise<void>;
  },
): Promise<readonly WrittenType[]> {
  let { types, catalog } = fitted;
  for (let round = 0; round < maxRounds; round++) {
    const flaws = await collectFlaws(paths, catalog);
    if (flaws.byRule.size === 0 && flaws.odd.size === 0) return types;
    const loosened = loosen(types, { rules: flaws.byRule, report });
    const counts = await countValues(paths, { catalog, fields: new Set(flaws.odd.keys()) });
    const { changed, rejections } = decideOdd(loosened, { odd: flaws.odd, counts, report });
    if (rejections.size > 0) await leaveOut(paths, { rejections, write: reject });
    ({ types, catalog } = simplify(changed, report));
  }
  throw new SourceError('has content that could not be made to fit its types');
}

/** The flaws of one round. Odd values are kept as long as they are few; after that, only their number. */
interface Flaws {
  /** Items by the rule that they break, as `BlogPost.related maxItems`. */
  readonly byRule: ReadonlyMap<
    string,
    { count: number; readonly items: string[]; readonly flaw: ContentFlaw }
  >;
  readonly odd: ReadonlyMap<string, ContentFlaw[]>;
}

async function collectFlaws(paths: readonly string[], catalog: FittedTypes['catalog']): Promise<Flaws> {
  const byRule = new Map<string, { count: number; items: string[]; flaw: ContentFlaw }>();
  const odd = new Map<string, ContentFlaw[]>();
  for await (const flaw of checkContent(paths, catalog)) {
    const field = flaw.found ? keyOfField(flaw.found) : '';
    if (flaw.rules.length === 0) {
      const list = odd.get(field) ?? [];
      odd.set(field, list);
      // What has no field, or takes any value already, is left out however much there is.
      if (list.length <= maxOdd || isAlwaysLeftOut(flaw)) list.push(flaw);
    }
    for (const rule of flaw.rules) {
      const known = byRule.get(`${field} ${rule}`) ?? { count: 0, items: [], flaw };
      byRule.set(`${field} ${rule}`, known);
      known.count++;
      if (known.items.length < maxNamed) known.items.push(flaw._id);
    }
  }
  return { byRule, odd };
}

const isAlwaysLeftOut = ({ found, reason }: ContentFlaw) =>
  !found ||
  reason === missingTarget ||
  (found.field.type.kind === 'scalar' && found.field.type.scalar === 'JSON' && !found.field.list);

/** Takes rules that items break out of the types. */
function loosen(
  given: readonly WrittenType[],
  { rules, report }: { rules: Flaws['byRule']; report: Report },
): readonly WrittenType[] {
  let types = given;
  for (const [key, { count, items, flaw }] of rules) {
    const [, rule = ''] = key.split(' ');
    const { owner = '', field } = flaw.found ?? {};
    types = editField(types, { type: owner, field: field?.graphqlName ?? '' }, (one) => {
      if (rule === 'required') return { ...one, isRequired: false };
      if (rule === 'unique')
        return {
          ...one,
          directives: (one.directives ?? []).map((text) =>
            text === '@indexed(unique: true)' ? '@indexed' : text,
          ),
        };
      return { ...one, limits: (one.limits ?? []).filter((limit) => !limit.startsWith(`${rule}:`)) };
    });
    const others = count > items.length ? ` and ${count - items.length} more` : '';
    report.lose({
      kind: `rule that items break, left out of the types: ${key}`,
      example: `${flaw._type} ${items.join(', ')}${others}`,
      count,
    });
  }
  return types;
}

/** Decides which odd values are left out, and which fields take any value. */
function decideOdd(
  given: readonly WrittenType[],
  { odd, counts, report }: { odd: Flaws['odd']; counts: ReadonlyMap<string, number>; report: Report },
) {
  let changed = given;
  const rejections = new Map<number, Rejection[]>();
  const leave = (flaw: ContentFlaw) => {
    const { path, reason, line, found, _type, _id } = flaw;
    const isWhole = path === '' || (found?.field.required === true && !path.endsWith(']'));
    rejections.set(line, [...(rejections.get(line) ?? []), { path, reason, isWhole }]);
    report.lose({
      kind: isWhole ? 'asset that is in rejected.jsonl' : 'value that is in rejected.jsonl',
      example: `${_type} ${_id}: ${path} ${reason}`,
    });
  };
  for (const [key, flaws] of odd) {
    const [first] = flaws;
    if (!first) continue;
    if (isAlwaysLeftOut(first) || isFew(flaws.length, counts.get(key) ?? 0)) flaws.forEach(leave);
    else {
      const { owner = '', field } = first.found ?? {};
      changed = editField(changed, { type: owner, field: field?.graphqlName ?? '' }, asJson);
      report.lose({
        kind: 'field whose values differ in kind, and that is JSON',
        example: `${key}: ${first._id} ${first.path} ${first.reason}`,
      });
    }
  }
  return { changed, rejections };
}

/** A value to leave out. */
interface Rejection {
  readonly path: string;
  readonly reason: string;
  /** Whether the asset goes as a whole, since it cannot be without the value. */
  readonly isWhole: boolean;
}

/** Rewrites files of assets without the values; `rejections` are those of each line, counted over all files. */
async function leaveOut(
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
