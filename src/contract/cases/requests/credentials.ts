/**
 * Credentials: 401 before any other check, and 403 for a client that lacks the right.
 */
import type { JsonObject } from '../../../model/content-type.ts';
import { isJsonObject } from '../../../model/values/validate-asset.ts';
import type { ApiUnderTest } from '../../apis/api-under-test.ts';
import type { Operation } from '../../apis/contract-document.ts';
import { type CaseGroup, toCase } from '../../case.ts';
import type { ContractRequest } from '../../responses/send-request.ts';

/** Yields the cases of every operation that requires credentials. */
export function* credentialCases(api: ApiUnderTest): CaseGroup {
  for (const operation of api.document.operations) {
    if (!operation.responses.has('401') || isFree(api, operation)) continue;
    for (const [wrong, headers] of wrongCredentials(api, operation)) {
      yield toCase(operation.id, `401 ${wrong}, although other parts are wrong too`, async () => {
        const request = brokenRequest(api, operation);
        await api.call({ ...request, credentials: null, headers }, 401);
        // An instance may slow down a client whose credentials are wrong many times in a row.
        if (headers['X-Client-Id'] === api.credentials.clientId) await api.call(request);
      });
    }
  }
}

/** Yields a case for each documented 403, with a client without rights. */
export function* forbiddenCases(api: ApiUnderTest): CaseGroup {
  for (const operation of api.document.operations) {
    if (!operation.responses.has('403') || !acceptsClients(api, operation)) continue;
    yield toCase(operation.id, '403 for a client without the right', async () => {
      const limited = await api.limited();
      if (typeof limited === 'string') return { skipped: limited };
      const request = api.validRequest(operation) ?? brokenRequest(api, operation);
      await api.call({ ...request, credentials: limited }, 403);
      return undefined;
    });
  }
}

/** Whether an operation needs no credentials. */
function isFree(api: ApiUnderTest, operation: Operation): boolean {
  return securityOf(api, operation)?.length === 0;
}

/** Whether API clients may call an operation, not only signed-in users. */
export function acceptsClients(api: ApiUnderTest, operation: Operation): boolean {
  return securityOf(api, operation)?.some((way) => 'clientId' in way) ?? true;
}

/** The alternative security requirements of an operation; `undefined` when the document has none. */
export function securityOf(
  { document }: ApiUnderTest,
  { path, method }: Operation,
): readonly JsonObject[] | undefined {
  const pointer = `#/paths/${encodeURIComponent(path.replaceAll('/', '~1'))}/${method.toLowerCase()}`;
  const security = document.at(pointer).security ?? document.source.security;
  return Array.isArray(security) ? security.filter(isJsonObject) : undefined;
}

function wrongCredentials(
  { credentials }: ApiUnderTest,
  { id }: Operation,
): [string, Record<string, string>][] {
  const { clientId, clientSecret } = credentials;
  return [
    ['without credentials', {}],
    ['without X-Client-Secret', { 'X-Client-Id': clientId }],
    ['without X-Client-Id', { 'X-Client-Secret': clientSecret }],
    ['with a wrong secret', { 'X-Client-Id': clientId, 'X-Client-Secret': `${clientSecret}x` }],
    ['with an unknown client', { 'X-Client-Id': `${clientId}-no-${id}`, 'X-Client-Secret': clientSecret }],
  ];
}

/** A request with other mistakes besides its credentials. */
export function brokenRequest({ document }: ApiUnderTest, operation: Operation): ContractRequest {
  const path = operation.path === '' ? pathOutside(document.operations) : fillPath(operation.path);
  const method = operation.method === '' ? unusedMethod(document.operations, operation) : operation.method;
  const query = [['noSuchParameter', '%']] as const;
  const hasBody = method !== 'GET' && method !== 'HEAD';
  return { method, path, query, ...(hasBody ? { raw: '{"broken' } : {}) };
}

/** Fills every parameter of a path template. */
export function fillPath(template: string): string {
  return template.replaceAll(/\{[^}]+\}/g, 'no-such-thing');
}

/** A path below the documented ones that is not documented itself. */
export function pathOutside(operations: readonly Operation[]): string {
  const [shortest = ''] = operations
    .map(({ path }) => path)
    .filter((path) => path !== '')
    .sort((a, b) => a.length - b.length);
  return `${shortest}/no/such/path/anywhere`;
}

export function methodsOf(operations: readonly Operation[], path: string): string[] {
  return operations
    .filter((operation) => operation.path === path && operation.method !== '')
    .map(({ method }) => method);
}

function unusedMethod(operations: readonly Operation[], { path }: Operation): string {
  const used = methodsOf(operations, path);
  return ['PATCH', 'PUT', 'POST', 'DELETE'].find((method) => !used.includes(method)) ?? 'OPTIONS';
}
