/**
 * Validates references, and converts them to the stored form.
 *
 * A reference states the `_ref` of its target. Where the content layer can look assets up, a reference may instead name its target by
 * a unique field, `{"_type": …, "_by": {"slug": "ada"}}`.
 */
import { isUuid } from '../../base/uuid.ts';
import type { Catalog, ContentType, Json, JsonObject } from '../content-type.ts';
import {
  type Findings,
  isJsonObject,
  type ResolveReference,
  report,
  reportUnknown,
  suggestFor,
  type ValueCheck,
} from './findings.ts';

/** Compiles the check of a reference to assets of the given classes. */
export function compileReference(catalog: Catalog, targets: readonly string[]): ValueCheck {
  const expected = targets.join(' or ');
  return (value, path, findings) => {
    const { resolve } = findings;
    if (!isJsonObject(value)) return report(findings, path, 'must be a reference: {"_ref": …, "_type": …}');
    const isBy = resolve !== undefined && Object.hasOwn(value, '_by');
    const known = isBy ? membersWithBy : members;
    reportUnknown({ input: value, prefix: `${path}.`, findings, known });
    if (!isBy && !isId(value._ref)) return report(findings, `${path}._ref`, 'must be a UUID');
    const { _type: type } = value;
    const target = typeof type === 'string' ? catalog.find(type) : undefined;
    if (!target || !targets.includes(target.class)) {
      const hint = suggestFor(type ?? null, targets, findings);
      return report(findings, `${path}._type`, `must be ${expected}${hint}`);
    }
    const ref = isBy ? resolveBy(value, { path, findings, resolve, target }) : String(value._ref);
    if (ref === undefined) return undefined;
    const reference = { _ref: ref.toLowerCase(), _type: target.class };
    findings.references.push({ path, reference });
    return { ...reference };
  };
}

const members: ReadonlySet<string> = new Set(['_ref', '_type']);
const membersWithBy: ReadonlySet<string> = new Set([...members, '_by']);

const isId = (ref: Json | undefined) => typeof ref === 'string' && isUuid(ref);

function resolveBy(
  value: JsonObject,
  {
    path,
    findings,
    resolve,
    target,
  }: { path: string; findings: Findings; resolve: ResolveReference; target: ContentType },
): string | undefined {
  const isTwice = Object.hasOwn(value, '_ref');
  if (isTwice) report(findings, `${path}._by`, 'cannot stand beside _ref');
  const resolved = resolve(target, value._by ?? null, path);
  if (typeof resolved === 'string') return isTwice ? undefined : resolved;
  for (const problem of resolved) report(findings, `${path}.${problem.path}`, problem.message);
  return undefined;
}
