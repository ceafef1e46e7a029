/**
 * Reads the variables of a mapped request from its query string and body, by the declarations of the stored operation.
 *
 * Ambiguous input is refused, with the parameter's name as it was sent. Parameters of undeclared variables are ignored.
 */
import { decodeQuery } from '../../base/decode-query.ts';
import { invalidParameter } from '../../base/errors.ts';
import type { InputType, VariableDefinition } from '../../graphql/operation.ts';
import type { JsonObject } from '../../model/content-type.ts';
import { checkJson, parseLiteral } from './check-json.ts';
import { convertText } from './convert-text.ts';
import { append, hasProto, parseParameterName, rootOf } from './parameter-name.ts';
import { type Branch, createTree, placeValue, readTree } from './parameter-tree.ts';
import { findParameterType } from './parameter-type.ts';
import { isReservedVariableName } from './reserved-names.ts';

/** The sources of a request's variables: its path, its query string, and a form or a JSON body or neither. */
export interface VariableSource {
  /** The decoded values of the parameters of the path, by name; each must be a declared variable of a scalar or enum type. */
  readonly path?: ReadonlyMap<string, string>;
  /** The part of the URL after `?`, not decoded; empty for none. */
  readonly query: string;
  /** A form's text, in the same syntax. */
  readonly form?: string;
  /** A parsed JSON body. */
  readonly body?: JsonObject;
}

/** Reads the variables of one operation. */
export interface VariableReader {
  /** Errors: invalid_parameter. */
  read(source: VariableSource): Record<string, unknown>;
}

/** Creates the reader of an operation's variables. */
export function createVariableReader({
  variables,
  disableSlashSyntax,
}: {
  readonly variables: readonly VariableDefinition[];
  readonly disableSlashSyntax: boolean;
}): VariableReader {
  const declared = new Map(variables.map((variable) => [variable.name, variable]));
  const readable = new Map([...declared].filter(([name]) => !isReservedVariableName(name)));

  function readPairs(text: string, whole: string): Branch {
    const tree = createTree();
    for (const [name, value] of decodeQuery(text, whole)) {
      const plain = readable.get(name);
      if (plain)
        placeValue(tree, [name], { kind: 'value', value: convert(value ?? '', plain.type, name), name });
      else if (hasProto(name)) throw invalidParameter(name, 'must not hold a "__proto__"');
      else if (!disableSlashSyntax && readable.has(rootOf(name))) {
        const steps = parseParameterName(name);
        const type = findParameterType(readable, steps, name);
        if (value === undefined && steps.at(-1) === append)
          placeValue(tree, steps.slice(0, -1), { kind: 'value', value: [], name });
        else placeValue(tree, steps, { kind: 'value', value: convertText(value ?? '', type, name), name });
      }
    }
    return tree;
  }

  function readSegments(path: ReadonlyMap<string, string>): Branch {
    const tree = createTree();
    for (const [name, text] of path) {
      const type = readable.get(name)?.type;
      if (type) placeValue(tree, [name], { kind: 'value', value: convertText(text, type, name), name });
    }
    return tree;
  }

  function convert(text: string, type: InputType, name: string): unknown {
    return disableSlashSyntax
      ? checkJson(parseLiteral(text, name), type, name)
      : convertText(text, type, name);
  }

  function readMembers(body: JsonObject): Branch {
    const tree = createTree();
    for (const [name, member] of Object.entries(body)) {
      const variable = readable.get(name);
      if (name === '__proto__') throw invalidParameter(name, 'must not hold a "__proto__"');
      if (!variable) continue;
      placeValue(tree, [name], { kind: 'value', value: checkJson(member, variable.type, name), name });
    }
    return tree;
  }

  return {
    read({ path, query, form, body }) {
      const tree = readPairs(query, 'the query string');
      if (path !== undefined) join(tree, readSegments(path), 'in the path and in the query string');
      const twice = `in the ${path ? 'path or the ' : ''}query string and in the body`;
      if (form !== undefined) join(tree, readPairs(form, 'the form'), twice);
      if (body !== undefined) join(tree, readMembers(body), twice);
      return readTree(tree, declared);
    },
  };
}

/** Adds variables to those of other parts of the request; `places` names both parts. Errors: invalid_parameter. */
function join(tree: Branch, other: Branch, places: string): void {
  for (const [step, node] of other.entries) {
    if (tree.entries.has(step)) throw invalidParameter(node.name, `is given twice, ${places}`);
    tree.entries.set(step, node);
  }
}
