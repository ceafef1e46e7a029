/**
 * Requests outside the operations: undocumented methods and paths, and HEAD, which is GET without the body.
 */
import type { ApiUnderTest } from '../../apis/api-under-test.ts';
import type { Operation } from '../../apis/contract-document.ts';
import { assertSame, type CaseGroup, toCase } from '../../case.ts';
import { fillPath, methodsOf, pathOutside } from './credentials.ts';
import { successesOf } from './valid-requests.ts';

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Yields the cases of every path. */
export function* routeCases(api: ApiUnderTest): CaseGroup {
  const { operations } = api.document;
  for (const [path, ofPath] of Map.groupBy(operations, (operation) => operation.path)) {
    const other = ofPath.find(({ method }) => method === '');
    if (path === '') yield* pathCases(api, other?.id ?? '');
    else yield* methodCases(api, path, (other ?? ofPath[0])?.id ?? '');
    for (const operation of ofPath) if (operation.method === 'GET') yield* headCases(api, operation);
  }
}

function* methodCases(api: ApiUnderTest, template: string, id: string): CaseGroup {
  const used = methodsOf(api.document.operations, template);
  for (const method of methods.filter((method) => !used.includes(method))) {
    yield toCase(id, `405 ${method}, with Allow`, async () => {
      const { headers } = await api.refuse({ method, path: fillPath(template) }, 405);
      const allowed = (headers.allow ?? '').split(',').map((name) => name.trim());
      const expected = used.includes('GET') ? [...used, 'HEAD'] : used;
      assertSame({ what: 'the header Allow', received: allowed.toSorted(), expected: expected.toSorted() });
    });
  }
}

function* headCases(api: ApiUnderTest, operation: Operation): CaseGroup {
  const { id } = operation;
  const documented = [...operation.responses.keys()].filter((key) => key.startsWith('2'));
  if (documented.length === 0) return;
  yield toCase(id, `${documented.join(' or ')} HEAD has the headers of GET and no body`, async () => {
    const skipped = await api.unavailable(id);
    if (skipped !== undefined) return { skipped };
    const request = api.validRequest(operation);
    if (!request) return { skipped: 'the run has no resource for this request' };
    const got = await api.call(request, ...successesOf(api, operation));
    const { status, headers, body } = await api.call({ ...request, method: 'HEAD' }, got.status);
    const kept = ['content-type', 'etag'];
    const pick = (all: typeof headers) => kept.map((name) => `${name}: ${all[name]}`);
    assertSame({
      what: 'the response to HEAD',
      received: { status, body },
      expected: { status: got.status, body: undefined },
    });
    assertSame({ what: 'the headers of HEAD', received: pick(headers), expected: pick(got.headers) });
    return undefined;
  });
}

function* pathCases(api: ApiUnderTest, id: string): CaseGroup {
  const outside = pathOutside(api.document.operations);
  for (const method of methods) {
    yield toCase(id, `404 ${method} on an undocumented path`, async () => {
      await api.call({ method, path: outside }, 404);
    });
  }
}
