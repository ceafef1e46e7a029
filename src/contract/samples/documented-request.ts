/**
 * The request of an operation that the suite does not know, made from what the document says of its parameters.
 */
import type { Json } from '../../model/content-type.ts';
import type { Operation, Parameter } from '../apis/contract-document.ts';
import type { ContractRequest } from '../responses/send-request.ts';
import type { ValueGenerator, ValueOptions } from './sample-value.ts';

/**
 * Builds a request with the examples and defaults of the query parameters, and a generated value for each other required
 * parameter. Absent for a path with parameters, and for all methods but GET, which could change what is not the run's.
 * Optional headers are left out, since they may ask for another response than the success, as `If-None-Match` does.
 */
export function toDocumentedRequest(
  { method, path, parameters }: Operation,
  { make, random }: { make: ValueGenerator; random: ValueOptions['random'] },
): ContractRequest | undefined {
  if (method !== 'GET' || path.includes('{')) return undefined;
  const textsOf = ({ example, required, schema, explode }: Parameter): readonly string[] => {
    const generated = () => make(schema, { random, full: false, refer: () => undefined });
    const value: Json | undefined = example ?? schema.default ?? (required ? generated() : undefined);
    if (value === undefined) return [];
    if (!Array.isArray(value)) return [String(value)];
    return explode ? value.map(String) : [value.join(',')];
  };
  const query = parameters
    .filter((parameter) => parameter.in === 'query')
    .flatMap((parameter) => textsOf(parameter).map((text) => [parameter.name, text] as const));
  const headers = parameters
    .filter((parameter) => parameter.in === 'header' && parameter.required)
    .map((parameter) => [parameter.name, textsOf(parameter).join(',')] as const);
  return { method, path, query, headers: Object.fromEntries(headers) };
}
