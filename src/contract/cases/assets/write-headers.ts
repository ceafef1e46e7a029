/**
 * The headers of writes: their version, their entry in the change log and the place of a new asset. A write that is only checked has
 * none of them, and writes nothing.
 */
import type { JsonObject } from '../../../model/content-type.ts';
import { firstOf, memberOf } from '../../apis/api-under-test.ts';
import type { CmaUnderTest } from '../../apis/cma-under-test.ts';
import type { DocumentedType } from '../../apis/content-types.ts';
import { assertSame, type Case, type CaseGroup, toCase, Violation } from '../../case.ts';
import type { ReceivedResponse } from '../../responses/response-validator.ts';
import { createAnother } from './asset-lifecycle.ts';
import { createStates, past } from './history.ts';

/** Yields the cases, on assets of the first type. */
export function* writeHeaderCases(cma: CmaUnderTest): CaseGroup {
  const [type] = cma.types.types;
  if (!type || cma.samples.kept(type.class).length === 0) return;
  for (const write of writesOf(cma, type)) {
    yield toWriteCase(cma, write, '200 the headers of the write', () => assertWritten(cma, write));
    yield toWriteCase(cma, write, '200 with validate=true, without them, and nothing is written', () =>
      assertChecked(cma, write),
    );
  }
  yield toCase(
    'batchAssets',
    '200 results have an ETag and a change, but not with validate=true',
    async () => {
      const names = (await hasChanges(cma)) ? ['etag', 'change'] : ['etag'];
      for (const [query, expected] of [
        [validate, []],
        [[], names],
      ] as const) {
        const operations = [{ action: 'create', asset: cma.samples.make(type, { full: false }) }];
        const request = { method: 'POST', path: `${cma.path}/batch`, query, body: { operations } };
        const result = firstOf(memberOf((await cma.call(request, 200)).body, 'result', 'results'));
        const received = names.filter((name) => memberOf(result, name) !== undefined);
        assertSame({ what: 'the members of a version', received, expected });
      }
    },
  );
}

interface Write {
  readonly operation: 'createAsset' | 'updateAsset' | 'restoreAsset';
  /** Prepares the request, and the path of the asset if there is one already. */
  prepare(): Promise<{ method: string; path: string; body: JsonObject; assetPath?: string }>;
}

const validate: [string, string][] = [['validate', 'true']];

function writesOf(cma: CmaUnderTest, type: DocumentedType): readonly Write[] {
  return [
    {
      operation: 'createAsset',
      prepare: async () => ({
        method: 'POST',
        path: cma.path,
        body: cma.samples.make(type, { full: false }),
      }),
    },
    {
      operation: 'updateAsset',
      async prepare() {
        const path = cma.pathOf((await createAnother(cma, type))._id);
        return { method: 'PUT', path, body: { 'cms.content.publishDate': 1 }, assetPath: path };
      },
    },
    {
      operation: 'restoreAsset',
      async prepare() {
        const { path, first } = await createStates(cma, type);
        return { method: 'POST', path: `${path}/restore`, body: { version: first.etag }, assetPath: path };
      },
    },
  ];
}

/** Creates a case, which is skipped for a restore where the run has no access to a history. */
const toWriteCase = (
  cma: CmaUnderTest,
  { operation }: Write,
  title: string,
  run: () => Promise<void>,
): Case =>
  operation === 'restoreAsset' ? past(cma, [operation, title], run) : toCase(operation, title, run);

async function assertWritten(cma: CmaUnderTest, { operation, prepare }: Write): Promise<void> {
  const { assetPath: _, ...request } = await prepare();
  const { headers, body } = await cma.call(request, 200);
  const path = cma.pathOf(String(memberOf(body, 'result', '_id')));
  const read = await cma.call({ method: 'GET', path }, 200);
  assertSame({ what: 'the ETag', received: headers.etag, expected: read.headers.etag });
  if (operation === 'createAsset')
    assertSame({ what: 'the Location', received: headers.location, expected: path });
  if (await hasChanges(cma)) await assertNewestChange(cma, { path, change: headers['x-change'] });
}

/** Whether the run can see that the instance keeps a change log. */
const hasChanges = async (cma: CmaUnderTest) => (await cma.unavailable('listAssetHistory')) === undefined;

async function assertNewestChange(
  cma: CmaUnderTest,
  { path, change }: { path: string; change: string | undefined },
): Promise<void> {
  const { body } = await cma.call({ method: 'GET', path: `${path}/history`, query: [['limit', '1']] }, 200);
  const expected = memberOf(firstOf(memberOf(body, 'result', 'items')), 'id');
  assertSame({ what: 'X-Change', received: change, expected });
}

async function assertChecked(cma: CmaUnderTest, { prepare }: Write): Promise<void> {
  const { assetPath, ...request } = await prepare();
  const before =
    assetPath === undefined ? undefined : await cma.call({ method: 'GET', path: assetPath }, 200);
  const checked = await cma.call({ ...request, query: validate }, 200);
  assertNoVersion(checked);
  if (before) {
    const after = await cma.call({ method: 'GET', path: assetPath ?? '' }, 200);
    assertSame({ what: 'the ETag', received: after.headers.etag, expected: before.headers.etag });
  } else {
    await cma.call({ method: 'GET', path: cma.pathOf(String(memberOf(checked.body, 'result', '_id'))) }, 404);
  }
}

function assertNoVersion({ headers }: ReceivedResponse): void {
  const received = ['etag', 'location', 'x-change'].filter((name) => headers[name] !== undefined);
  if (received.length === 0) return;
  throw new Violation({ message: 'a checked write has headers of a write', expected: [], received });
}
