/**
 * Generates the validators of requests, as plain functions, so that a server compiles no schema when it starts.
 *
 * For each operation Ajv compiles a validator of the parameters and one of the body. Ajv's code requires helpers from its own
 * package; Rolldown bundles them into the file.
 */
import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { Ajv, type Options } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import standalone from 'ajv/dist/standalone/index.js';
import { rolldown } from 'rolldown';
import { packageRoot } from '../base/package-root.ts';
import type { OpenApiDocument } from '../documents/openapi-document.ts';
import type { JsonObject } from '../model/content-type.ts';
import {
  type GeneratedFiles,
  generatedNotice,
  hashFiles,
  validatorPaths,
  validatorsHash,
} from './generated-files.ts';
import type { Specifications } from './input.ts';
import {
  boundLists,
  type RequestSchemas,
  resolveDiscriminators,
  toRequestSchemas,
} from './request-schemas.ts';

/** Generates `validators/cma.js` and `validators/admin.js`, each with its declaration, and the hash of all. */
export async function generateRequestValidators({ cma, admin }: Specifications): Promise<GeneratedFiles> {
  const files = new Map([
    ['validators/cma.js', await compileValidators(cma)],
    ['validators/cma.d.ts', declaration],
    ['validators/admin.js', await compileValidators(admin)],
    ['validators/admin.d.ts', declaration],
  ]);
  return files.set(validatorsHash, hashFiles(validatorPaths.map((path) => files.get(path) ?? '')));
}

const declaration = `// ${generatedNotice}

import type { ValidateFunction } from 'ajv';

/** The validators of requests, by operation ID. */
export declare const requestValidators: Readonly<Record<string, readonly ValidateFunction[]>>;
`;

/** The content service checks formats, with the types of fields; tests check the document itself. */
const options: Options = {
  strict: false,
  validateSchema: false,
  validateFormats: false,
  allErrors: true,
  inlineRefs: false,
  code: { source: true, esm: true, lines: true },
};

async function compileValidators(document: OpenApiDocument): Promise<string> {
  // The types of openapi-backend do not say that a document is JSON.
  const components = resolveDiscriminators(document.components as JsonObject);
  const { parameters, bodies } = toRequestSchemas(document);
  const modules = new Map([
    // Parameters arrive as texts, and a list with one item arrives as that text.
    [
      'parameters',
      compile('parameters', { components, schemas: parameters }, { ...options, coerceTypes: 'array' }),
    ],
    ['bodies', compile('body', boundLists({ components, schemas: bodies }), options)],
    ['index', writeIndex({ parameters, bodies })],
  ]);
  return `// ${generatedNotice}\n\n${await bundle(modules)}`;
}

/** Schemas with the components that they refer to. */
type Schemas = { readonly components: JsonObject; readonly schemas: RequestSchemas['bodies'] };

/**
 * Compiles each of `schemas` to a function, exported under its name. Ajv's code copies the list of errors for each item of a list,
 * which takes quadratic time; here it appends to the list.
 */
function compile(part: string, root: Schemas, options: Options): string {
  // What only the later drafts of JSON Schema have costs time in each function.
  const Compiler = /"(prefixItems|unevaluated\w+|dependent\w+|m\w+Contains|\$dynamicRef)":/.test(
    JSON.stringify(root),
  )
    ? Ajv2020
    : Ajv;
  const ajv = new Compiler({ ...options, ownProperties: hasInheritedNames(root) }).addSchema(root, 'root');
  const references = Object.keys(root.schemas).map((name) => [name, `root#/schemas/${name}`]);
  const code = standalone.default(ajv, Object.fromEntries(references));
  return nameParts(part, ajv, code).replace(joining, 'appendErrors(vErrors, $1.errors)') + appendErrors;
}

/** Tells whether schemas name members that every object of JavaScript has, such as `constructor`, so that validators must look closer. */
const hasInheritedNames = (root: Schemas) =>
  Object.getOwnPropertyNames(Object.prototype).some((name) => JSON.stringify(root).includes(`"${name}":{`));

/**
 * Names functions by their schemas, and constants by their values, where Ajv counts them: a change of one schema leaves the names of
 * the others.
 */
function nameParts(part: string, ajv: Ajv, code: string): string {
  const compiled = Object.entries({ ...ajv.refs, ...(ajv.schemas.root?.refs ?? {}) });
  const taken = new Set<string>();
  const functions = compiled.flatMap(([reference, schema]) => {
    if (typeof schema !== 'object' || !('validateName' in schema)) return [];
    const base = reference.split('/').at(-1)?.replace(/\W/g, '_');
    let name = `${base}_${part}`;
    for (let n = 2; taken.has(name); n++) name = `${base}_${n}_${part}`;
    taken.add(name);
    return [[String(schema.validateName), name] as const];
  });
  const constants = [...code.matchAll(/^const ((schema|pattern|func)\d+) = (.*);$/gm)].map(
    ([, counted = '', kind, value = '']) => [counted, `${kind}_${hash(value)}_${part}`] as const,
  );
  const names = new Map([...functions, ...constants]);
  const named = code.replace(
    /\b(?:validate|schema|pattern|func)\d+\b/g,
    (counted) => names.get(counted) ?? counted,
  );
  return (
    named
      // Equal values have one name.
      .replace(/^const \w+_\w+ = .*;\n/gm, (line, at) => (named.indexOf(line) === at ? line : ''))
      .replace(/^export const (\w+) = (\w+);$/gm, 'export { $2 as $1 };')
  );
}

const hash = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 8);

const joining = /vErrors === null \? (\w+)\.errors : vErrors\.concat\(\1\.errors\)/g;

const appendErrors = `
function appendErrors(errors, more) {
  if (errors === null) return more;
  for (const error of more) errors.push(error);
  return errors;
}`;

function writeIndex({ parameters, bodies }: RequestSchemas): string {
  const members = Object.keys(parameters).map((name) => {
    const body = Object.hasOwn(bodies, name) ? `, bodies.${name}` : '';
    return `${name}: [parameters.${name}${body}],`;
  });
  return `import * as parameters from 'parameters';
import * as bodies from 'bodies';
export const requestValidators = { ${members.join('\n')} };`;
}

/** Bundles modules and the packages that they require into one module; `index` is the entry. */
async function bundle(modules: ReadonlyMap<string, string>): Promise<string> {
  const { resolve } = createRequire(import.meta.url);
  const bundled = await rolldown({
    input: 'index',
    cwd: packageRoot,
    platform: 'neutral',
    experimental: { attachDebugInfo: 'none' },
    plugins: [
      {
        name: 'modules in memory',
        resolveId: (id) => (modules.has(id) ? id : resolve(id)),
        load: (id) => modules.get(id),
      },
    ],
  });
  const { output } = await bundled.generate({ format: 'esm' });
  await bundled.close();
  return output[0].code;
}
