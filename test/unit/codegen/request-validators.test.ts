/** The generated validators: a change of one schema leaves the text of all others, so that a diff has only what changed. */
import { expect, it } from 'vitest';
import { generateRequestValidators } from '../../../src/codegen/request-validators.ts';
import {
  type OpenApiDocument,
  readAdminDocument,
  readCmaDocument,
} from '../../../src/documents/openapi-document.ts';
import { shippedCatalog } from '../../support/types.ts';

/** The functions and constants of a module, by their names. */
const partsOf = (code: string | undefined) =>
  new Map(
    (code ?? '')
      .split(/^(?=(?:function|const) )/m)
      .map((part) => [/^(?:function|const) (\w+)/.exec(part)?.[1] ?? '', part] as const),
  );

it('changes only the functions of the operation and the schema that changed', async () => {
  const cma = readCmaDocument();
  const edited: OpenApiDocument = structuredClone(cma);
  const schemas = Object(edited.components.schemas);
  schemas.AssetQuery.properties = {
    since: { type: 'integer', minimum: 5 },
    ...schemas.AssetQuery.properties,
  };
  const [path] = Object.values(edited.paths).map(Object);
  path.get.parameters.unshift({ name: 'since', in: 'query', schema: { type: 'string', pattern: '^x+$' } });
  const input = {
    version: '1.0.0',
    catalog: shippedCatalog(),
    bundledCma: cma,
    bundledAdmin: readAdminDocument(),
  };
  // The generator does not care which documents it reads: it makes one module of each.
  const files = await generateRequestValidators({ ...input, cma, admin: edited });
  const before = partsOf(files.get('validators/cma.js'));
  const after = partsOf(files.get('validators/admin.js'));
  const names = [...new Set([...before.keys(), ...after.keys()])];
  const changed = names.filter((name) => before.get(name) !== after.get(name));
  expect(before.size).toBeGreaterThan(30);
  expect(changed.map((name) => name.replace(/_[0-9a-f]{8}_/, '_*_')).toSorted()).toEqual([
    'AssetQuery_body',
    'pattern_*_parameters',
    'queryAssets_parameters',
    // Each before and after its change.
    'schema_*_body',
    'schema_*_body',
    'schema_*_parameters',
    'schema_*_parameters',
  ]);
});
