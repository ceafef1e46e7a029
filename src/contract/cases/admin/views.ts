/**
 * Saved views: saved, listed for their type, and deleted.
 */
import { type AdminUnderTest, idOf } from '../../apis/admin-under-test.ts';
import { memberOf } from '../../apis/api-under-test.ts';
import { assertSame, type CaseGroup, toCase, toSetupCase } from '../../case.ts';

/** Saves a view for everybody, which the other cases use, also those of a user. */
export function* viewSampleCases(admin: AdminUnderTest): CaseGroup {
  yield toSetupCase('createView', '201 a view', async () => {
    const { id, location } = await createView(admin);
    assertSame({ what: 'the Location', received: location, expected: `${admin.path}/views/${id}` });
    admin.keep('views', id);
  });
}

/** Yields the cases. */
export function* viewCases(admin: AdminUnderTest): CaseGroup {
  const path = `${admin.path}/views`;
  yield toCase('listViews', '200 lists the view of a type', async () => {
    const query = [['type', typeOf(admin)]] as const;
    const { body } = await admin.call({ method: 'GET', path, query: [...query] }, 200);
    const items = memberOf(body, 'items');
    const ids = Array.isArray(items) ? items.map(idOf) : [];
    const received = ids.includes(admin.kept('views'));
    assertSame({ what: 'whether the view is listed', received, expected: true });
  });
  yield toCase('deleteView', '204 deletes a view', async () => {
    const { id } = await createView(admin);
    await admin.call({ method: 'DELETE', path: `${path}/${id}` }, 204);
    await admin.call({ method: 'GET', path: `${path}/${id}` }, 404);
  });
}

async function createView(admin: AdminUnderTest) {
  const request = { method: 'POST', path: `${admin.path}/views` };
  const draft = { name: 'Contract test', type: typeOf(admin), query: 'limit=50', shared: true };
  const { body, headers } = await admin.call({ ...request, body: draft }, 201);
  return { id: idOf(body) ?? '', location: headers.location };
}

const typeOf = ({ cma }: AdminUnderTest) => cma.types.types[0]?.class ?? '';
