/**
 * The JSON Schema of each scalar, as every document of ours describes it.
 */
import type { JsonObject, ScalarName } from '../model/content-type.ts';

/** Schemas by the scalars' names; what a field's constraints or a null add is the caller's affair. */
export const scalarSchemas: Readonly<Record<ScalarName, JsonObject>> = {
  String: { type: 'string' },
  Int: { type: 'integer', format: 'int32' },
  Float: { type: 'number', format: 'double' },
  Boolean: { type: 'boolean' },
  ID: { type: 'string' },
  EpochMillis: { type: 'integer', format: 'int64' },
  RichText: { type: 'string', contentMediaType: 'text/html' },
  Url: { type: 'string', format: 'uri' },
  JSON: {},
};
