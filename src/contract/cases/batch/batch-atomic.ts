/**
 * Atomic batches: all operations are applied, or none.
 */
import type { Asset, JsonObject } from '../../../model/content-type.ts';
import { errorPathsOf, memberOf } from '../../apis/api-under-test.ts';
import type { CmaUnderTest } from '../../apis/cma-under-test.ts';
import type { DocumentedType } from '../../apis/content-types.ts';
import { assertSame, type CaseGroup, toCase } from '../../case.ts';
import { createAnother } from '../assets/asset-lifecycle.ts';
import { type BatchSender, batchOperation, isSkip } from './batch-sender.ts';

/** Yields one case for each status of a refused operation. */
export function* batchAtomicCases(cma: CmaUnderTest, batches: BatchSender, type: DocumentedType): CaseGroup {
  const refused: [status: number, title: string, make: (asset: Asset) => JsonObject, place: string][] = [
    [
      400,
      'is invalid',
      (asset) => ({ action: 'update', asset: { _id: asset._id, noSuchMember: 1 } }),
      'asset.noSuchMember',
    ],
    [404, 'names a missing asset', () => ({ action: 'delete', id: cma.random.uuid() }), ''],
    [
      409,
      'creates an existing asset',
      (asset) => ({
        action: 'create',
        asset: { ...cma.samples.make(type, { full: false }), _id: asset._id },
      }),
      '',
    ],
    [
      412,
      'names another version',
      ({ _id }) => ({ action: 'delete', id: _id, ifMatch: '"no-such-version"' }),
      '',
    ],
  ];
  for (const [status, title, make, place] of refused) {
    yield toCase(batchOperation, `${status} atomic, no operation is applied when one ${title}`, async () => {
      const asset = await createAnother(cma, type);
      const added = cma.samples.make(type, { full: false });
      const operations = [
        { action: 'create', asset: added },
        { action: 'update', asset: { _id: asset._id, 'cms.content.publishDate': 5 } },
        make(asset),
      ];
      const body = await batches.atomic(operations, status);
      if (isSkip(body)) return body;
      const named = errorPathsOf(body)[0];
      if (place !== '') assertSame({ what: 'the path', received: named, expected: `operations[2].${place}` });
      await cma.call({ method: 'GET', path: cma.pathOf(String(added._id)) }, 404);
      const now = await cma.get(asset._id);
      assertSame({ what: 'the asset', received: memberOf(now.body, 'result'), expected: asset });
      return undefined;
    });
  }
}
