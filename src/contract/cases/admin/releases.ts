/**
 * Releases: a draft in a release of the run is listed, rebased, published and discarded.
 */
import { randomUUID } from 'node:crypto';
import type { AdminUnderTest } from '../../apis/admin-under-test.ts';
import { memberOf } from '../../apis/api-under-test.ts';
import { assertSame, type CaseGroup, toCase, toSetupCase } from '../../case.ts';

const noRelease = { skipped: 'the instance keeps no change log' };

/** Creates a release with a draft, which the other cases use. */
export function* releaseSampleCases(admin: AdminUnderTest): CaseGroup {
  yield toSetupCase('createRelease', '201 a release with a draft', async () => {
    const path = `${admin.path}/releases`;
    const name = `contract-${randomUUID()}`;
    const { status, headers } = await admin.call({ method: 'POST', path, body: { name } }, 201, 501);
    if (status === 501) return noRelease;
    assertSame({ what: 'the Location', received: headers.location, expected: `${path}/${name}` });
    admin.own.add(`${path}/${name}`);
    admin.keep('releases', name);
    const asset = await createDraft(admin, name);
    // What is left is deleted in the reverse order: a release with drafts cannot be deleted.
    admin.own.add(`${path}/${name}/drafts/${asset}`);
    admin.keep('drafts', asset);
    return undefined;
  });
}

/** Yields the cases. */
export function* releaseCases(admin: AdminUnderTest): CaseGroup {
  const release = () => {
    const name = admin.kept('releases');
    return name === undefined ? undefined : { name, path: `${admin.path}/releases/${name}` };
  };
  yield toCase('createRelease', '409 another release has the name', async () => {
    const kept = release();
    if (!kept) return noRelease;
    await admin.call({ method: 'POST', path: `${admin.path}/releases`, body: { name: kept.name } }, 409);
    return undefined;
  });
  yield toCase('listReleaseDrafts', '200 lists the draft', async () => {
    const kept = release();
    if (!kept) return noRelease;
    const { body } = await admin.call({ method: 'GET', path: `${kept.path}/drafts` }, 200);
    const assets = membersOf(body, 'items').map((item) => memberOf(item, 'asset'));
    const received = assets.includes(admin.kept('drafts'));
    assertSame({ what: 'whether the draft is listed', received, expected: true });
    return undefined;
  });
  yield toCase('rebaseDraft', '412 the live asset has another version', async () => {
    const kept = release();
    if (!kept) return noRelease;
    const path = `${kept.path}/drafts/${admin.kept('drafts')}/rebase`;
    await admin.call({ method: 'POST', path, body: { live: 'no-such-version' } }, 412);
    return undefined;
  });
  yield toCase('publishRelease', '200 makes a draft live, as a run', async () => {
    const kept = release();
    if (!kept) return noRelease;
    const asset = await createDraft(admin, kept.name);
    const publish = { method: 'POST', path: `${kept.path}/publish`, body: { only: [asset] } };
    const { body } = await admin.call(publish, 200);
    const run = memberOf(body, 'run');
    assertSame({ what: 'the type of run', received: typeof run, expected: 'string' });
    admin.own.add(`${admin.path}/contents/${asset}`);
    await admin.call({ method: 'GET', path: `${admin.path}/contents/${asset}` }, 200);
    return undefined;
  });
  yield toCase(
    'publishRelease',
    '409 an asset was created meanwhile with the _id of a creation',
    async () => {
      const kept = release();
      if (!kept) return noRelease;
      const asset = await createDraft(admin, kept.name);
      const body = { ...admin.newBody('contents'), _id: asset };
      await admin.call({ method: 'POST', path: `${admin.path}/contents`, body }, 201);
      const publish = { method: 'POST', path: `${kept.path}/publish`, body: { only: [asset] } };
      const refused = await admin.call(publish, 409);
      const codes = membersOf(refused.body, 'findings').map((finding) => memberOf(finding, 'code'));
      assertSame({ what: 'the codes of the findings', received: codes, expected: ['id_in_use'] });
      await admin.call({ method: 'DELETE', path: `${kept.path}/drafts/${asset}` }, 204);
      return undefined;
    },
  );
  yield toCase('unscheduleRelease', '204 takes a schedule back', async () => {
    const kept = release();
    if (!kept) return noRelease;
    const path = `${kept.path}/schedule`;
    await admin.call({ method: 'PUT', path, body: { at: 0 } }, 400);
    const at = 8_640_000_000_000_000;
    const { body } = await admin.call({ method: 'PUT', path, body: { at } }, 200);
    assertSame({ what: 'publishAt', received: memberOf(body, 'publishAt'), expected: at });
    await admin.call({ method: 'DELETE', path }, 204);
    const { body: after } = await admin.call({ method: 'GET', path: kept.path }, 200);
    assertSame({ what: 'publishAt', received: memberOf(after, 'publishAt'), expected: undefined });
    return undefined;
  });
  yield toCase('revokePreviewLink', '204 ends a preview link', async () => {
    const kept = release();
    if (!kept) return noRelease;
    const path = `${kept.path}/preview-links`;
    const { body } = await admin.call({ method: 'POST', path, body: {} }, 201);
    const id = memberOf(body, 'id');
    assertSame({ what: 'the type of token', received: typeof memberOf(body, 'token'), expected: 'string' });
    const listed = await admin.call({ method: 'GET', path }, 200);
    const ids = membersOf(listed.body, 'items').map((item) => memberOf(item, 'id'));
    assertSame({ what: 'whether the link is listed', received: ids.includes(id), expected: true });
    await admin.call({ method: 'DELETE', path: `${path}/${id}` }, 204);
    await admin.call({ method: 'DELETE', path: `${path}/${id}` }, 404);
    return undefined;
  });
  yield toCase('withdrawContent', '200 once, 409 where "drafts" creates the asset', async () => {
    if (!release()) return noRelease;
    const asset = await createDraft(admin, 'drafts');
    const contents = `${admin.path}/contents`;
    const draft = { method: 'DELETE', path: `${admin.path}/releases/drafts/drafts/${asset}` };
    const withdraw = { method: 'POST', path: `${contents}/${asset}/withdraw` };
    const body = { ...admin.newBody('contents'), _id: asset };
    await admin.call({ method: 'POST', path: contents, body }, 201);
    await admin.call(withdraw, 409);
    await admin.call(draft, 204);
    await admin.call(withdraw, 200);
    await admin.call(withdraw, 404);
    await admin.call(draft, 204);
    return undefined;
  });
  yield toCase('discardDraft', '204 drops a draft', async () => {
    const kept = release();
    if (!kept) return noRelease;
    const path = `${kept.path}/drafts/${await createDraft(admin, kept.name)}`;
    await admin.call({ method: 'DELETE', path }, 204);
    await admin.call({ method: 'DELETE', path }, 404);
    return undefined;
  });
  yield toCase('deleteRelease', '204 deletes a release with its draft', async () => {
    if (!release()) return noRelease;
    const name = `contract-${randomUUID()}`;
    const path = `${admin.path}/releases/${name}`;
    await admin.call({ method: 'POST', path: `${admin.path}/releases`, body: { name } }, 201);
    await createDraft(admin, name);
    await admin.call({ method: 'DELETE', path }, 400);
    await admin.call({ method: 'DELETE', path, query: [['drafts', '1']] }, 204);
    await admin.call({ method: 'GET', path }, 404);
    return undefined;
  });
}

/** Drafts a creation; returns the `_id` of the asset. */
async function createDraft({ call, path, newBody }: AdminUnderTest, release: string): Promise<string> {
  const asset = randomUUID();
  const body = { ...newBody('contents'), _id: asset };
  await call({ method: 'POST', path: `${path}/contents`, query: [['release', release]], body }, 201);
  return asset;
}

function membersOf(body: unknown, name: string): readonly unknown[] {
  const list = memberOf(body, name);
  return Array.isArray(list) ? list : [];
}
