import { beforeAll, describe, expect, it } from 'vitest';
import { bundleDocument, readCmaDocument } from '../../../../src/documents/openapi-document.ts';
import { createContractAssertions } from '../../../support/contract-assertions.ts';
import { keepsHistory, needsHistory } from '../../../support/history.ts';
import { startInstance, type TestInstance } from '../../../support/instance.ts';
import { describeOnEachStore, type StoreLocation } from '../../../support/stores.ts';
import { shippedCatalog } from '../../../support/types.ts';
import { describeAtomicBatches } from '../batch/atomic-cases.ts';
import { createBatchContext } from '../batch/batch-context.ts';
import { describeBatches } from '../batch/operation-cases.ts';
import { describeBatchReferences } from '../batch/reference-cases.ts';
import { describeRefusedBatches } from '../batch/refused-cases.ts';
import { createCaller } from './caller.ts';
import { describeChanges } from './change-cases.ts';
import { createCmaContext, noAsset, site, text } from './cma-content.ts';
import { describeCreating } from './creating-cases.ts';
import { describeCredentials } from './credentials-cases.ts';
import { describeExplaining } from './explaining-cases.ts';
import { describeFeed } from './feed-cases.ts';
import { createHistoryContext, describeHistory, describeRemovedHistory } from './history-cases.ts';
import { describeIdempotentRequests } from './idempotency-cases.ts';
import { describePaging } from './paging-cases.ts';
import { describePatching } from './patching-cases.ts';
import { describeQuerying } from './querying-cases.ts';
import { describeReading } from './reading-cases.ts';
import { describeReleases } from './release-cases.ts';
import { describeErasing, describeRestoring } from './restore-cases.ts';
import { describeRoutes } from './routes-cases.ts';
import { describeSelecting } from './selecting-cases.ts';
import { describeUnseen } from './unseen-cases.ts';
import { describeUpdating } from './updating-cases.ts';
import { describeUploads, maxFileBytes } from './upload-cases.ts';
import { describeValidating } from './validate-cases.ts';

describeOnEachStore('the CMA', (locations, { isWhole }) => {
  let location: StoreLocation;
  const contract = createContractAssertions(
    bundleDocument({ source: readCmaDocument(), catalog: shippedCatalog() }),
  );
  let instance: TestInstance;
  const caller = createCaller({ instance: () => instance, contract });
  const context = createCmaContext(caller, () => instance);

  beforeAll(async () => {
    location = locations();
    instance = await startInstance(location, { maxFileBytes });
  });

  describeCreating(context);
  describeReading(context);
  describeUpdating(context);
  describePatching(context);
  describeChanges(context);
  describeQuerying(context);
  describePaging(context);
  describeExplaining(context);
  describeIdempotentRequests(context);
  describeUploads(context);
  if (isWhole) {
    describeCredentials(context);
    describeSelecting(context);
    describeValidating(context);
    describeUnseen(context);
    describeRoutes(context);
  }
  const histories = createHistoryContext(context, () => location);
  if (isWhole) {
    describeHistory(histories);
    describeRestoring(histories);
    describeReleases(histories);
  }
  describeErasing(histories);
  describeRemovedHistory(histories);
  describeFeed(histories);
  // Last: these cases leave many assets, which would slow the queries of the others down.
  const batches = createBatchContext(context);
  if (isWhole) {
    describeBatches(batches);
    describeRefusedBatches(batches);
    describeBatchReferences(batches);
  }
  describeAtomicBatches(batches);

  it.runIf(isWhole)('answers 404 when it is disabled', async () => {
    const off = await startInstance(location, { cmaEnabled: false });
    const { call: callOff } = createCaller({ instance: () => off, contract });
    for (const method of ['GET', 'POST']) expect((await callOff(method, { body: {} })).status).toBe(404);
    expect((await callOff('POST', { path: '/query', body: {} })).status).toBe(404);
    expect((await callOff('GET', { path: '/changes' })).status).toBe(404);
    await off.stop();
  });

  it.runIf(isWhole)(
    'has given every documented response, except for a failing store and a slow body',
    async () => {
      const isKept = await keepsHistory(instance);
      const unseen = contract
        .unseen()
        .filter((response) => !/ (408|429|50[0137])$/.test(response))
        .filter((response) => isKept || !needsHistory(response));
      expect(unseen).toEqual([]);
    },
  );
});

describe('settings', () => {
  describeOnEachStore('change the CMA', (locations) => {
    it('COLOPHON_CMA_PATH sets its path', async () => {
      const location = locations();
      const moved = await startInstance(location, { cmaPath: '/contents.v1' });
      const statusAt = async (path: string) =>
        (await fetch(`${moved.url}${path}?from=${text}`, { headers: moved.headers })).status;
      expect(await statusAt('/contents.v1')).toBe(200);
      expect(await statusAt('/contentsXv1')).toBe(404);
      expect(await statusAt('/api/rest/cma/contents')).toBe(404);
      await moved.stop();
      await location.remove();
    });

    it('COLOPHON_SITE_OWNER=required and COLOPHON_REFERENCES=unchecked change its validation', async () => {
      const location = locations();
      const instance = await startInstance(location, { siteOwnerRequired: true, referencesChecked: false });
      const post = async (body: object) => {
        const headers = { ...instance.headers, 'Content-Type': 'application/json' };
        const response = await fetch(instance.cmaUrl, {
          method: 'POST',
          headers,
          body: JSON.stringify(body),
        });
        return { status: response.status, body: await response.json() };
      };
      expect(await post({ _type: text, name: 'x' })).toMatchObject({
        status: 400,
        body: { error: { path: 'cms.site.owner' } },
      });
      expect(await post({ _type: site, name: 'The first' })).toMatchObject({ status: 200 });
      const owner = { 'cms.site.owner': { _ref: noAsset, _type: site } };
      expect(await post({ _type: text, name: 'x', ...owner })).toMatchObject({ status: 200 });
      await instance.stop();
      await location.remove();
    });
  });
});
