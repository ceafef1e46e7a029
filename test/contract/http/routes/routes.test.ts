/** Mapped routes of a listening server; every response must be documented in the OpenAPI document of its REST endpoint. */
import { beforeAll } from 'vitest';
import { startInstance, type TestInstance } from '../../../support/instance.ts';
import { describeOnEachStore, type StoreLocation } from '../../../support/stores.ts';
import { makeTypesFolder } from '../../../support/types-folder.ts';
import { describeAccess } from './access-cases.ts';
import { describeBodies } from './body-cases.ts';
import { describeCaching } from './caching-cases.ts';
import { describeDelivery } from './delivery-cases.ts';
import { echoSdl } from './echo.ts';
import { describeJsonBodies } from './json-body-cases.ts';
import { describeLifecycle } from './lifecycle-cases.ts';
import { describeLiterals } from './literal-cases.ts';
import { describeNulls } from './null-cases.ts';
import { describeOperations } from './operation-cases.ts';
import { describePaging } from './paging-cases.ts';
import { createRoutesContext, open } from './routes-context.ts';
import { describeRouting } from './routing-cases.ts';
import { describeSlashSyntax } from './slash-cases.ts';
import { describeStatuses } from './status-cases.ts';

describeOnEachStore('mapped routes', (locations, { isWhole }) => {
  let location: StoreLocation;
  const types = makeTypesFolder(echoSdl);
  let instance: TestInstance;
  const context = createRoutesContext(() => instance);

  beforeAll(async () => {
    location = locations();
    instance = await startInstance(location, { typesDir: types });
    await instance.services.graphqlEndpoints.create(open);
  });

  describeRouting(context);
  describeOperations(context);
  describePaging(context);
  if (isWhole) {
    describeSlashSyntax(context);
    describeLiterals(context);
    describeJsonBodies(context);
    describeBodies(context);
    describeNulls(context);
    describeAccess(context);
    describeStatuses(context);
    describeCaching(context);
    describeDelivery(context);
  }
  describeLifecycle(context, { location: () => location, typesDir: () => types });
});
