/**
 * Reads the OpenAPI documents from their YAML sources, and refuses what a server cannot do of them. All other code reads the JSON that
 * is generated from them, because a server loads JSON faster.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMap, isNode, isPair, isScalar, LineCounter, parseDocument } from 'yaml';
import { checkFailed } from '../base/errors.ts';
import { packageRoot } from '../base/package-root.ts';
import type { OpenApiDocument } from '../documents/openapi-document.ts';
import { findRefusals } from './check-document.ts';
import type { Specifications } from './input.ts';

/** Reads `openapi/cma.yaml` and `openapi/admin.yaml`. Errors: check_failed, with a line for each reason. */
export const readSpecifications = (): Specifications => ({ cma: read('cma'), admin: read('admin') });

function read(name: keyof Specifications): OpenApiDocument {
  const path = `openapi/${name}.yaml`;
  return readSpecification(readFileSync(join(packageRoot, path), 'utf8'), path);
}

/** Reads a document, whose errors name `path`. Errors: check_failed, with a line for each reason. */
export function readSpecification(text: string, path: string): OpenApiDocument {
  const lines = new LineCounter();
  const yaml = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  /** The line of a place, or of the nearest place around it that the file has. */
  const lineOf = (at: readonly string[]): number => {
    const key = at.at(-1);
    const above = yaml.getIn(at.slice(0, -1), true);
    const pair = isMap(above)
      ? above.items.find((item) => isScalar(item.key) && String(item.key.value) === key)
      : above;
    const node = isPair(pair) ? pair.key : yaml.getIn(at, true);
    if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
    return at.length > 0 ? lineOf(at.slice(0, -1)) : 1;
  };
  const [broken] = yaml.errors;
  if (broken) throw checkFailed(`${path}:${lines.linePos(broken.pos[0]).line}: ${broken.message}`);
  const document: OpenApiDocument = yaml.toJS();
  const refusals = findRefusals(document).map(
    ({ at, reason }) => `${path}:${lineOf(at)}: ${at.join(' ')}: ${reason}`,
  );
  if (refusals.length > 0) throw checkFailed(refusals.join('\n'));
  return document;
}
