/** Cases of releases: what they contain, and what their publication does. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { keepsHistory, trimHistory } from '../../../support/history.ts';
import type { StoreLocation } from '../../../support/stores.ts';
import { site, text } from '../cma/cma-content.ts';
import type { AdminContext, AdminResponse } from './admin-caller.ts';

/** Runs the cases. */
export function describeReleases(
  { call, createAsset, instance, newName }: AdminContext,
  location: () => StoreLocation,
): void {
  describe('releases', () => {
    const codesOf = ({ body }: AdminResponse) =>
      body.findings.map(({ code }: { code: string }) => code).sort();

    it('are created, listed, changed and deleted', async ({ skip }) => {
      if (!(await keepsHistory(instance()))) skip('the store keeps no change log');
      const name = newName().replaceAll(' ', '-');
      const created = await call('POST', '/releases', { body: { name, title: 'Spring' } });
      expect(created).toMatchObject({
        status: 201,
        headers: { location: `/api/admin/releases/${name}` },
        body: { name, title: 'Spring', drafts: 0, bytes: 0 },
      });
      expect((await call('POST', '/releases', { body: { name } })).body.code).toBe('value_in_use');
      expect((await call('POST', '/releases', { body: { name: 'a/b' } })).status).toBe(400);
      const list = await call('GET', '/releases?limit=100');
      const names = list.body.items.map((item: { name: string }) => item.name);
      expect([names[0], names.includes(name)]).toEqual(['drafts', true]);
      const first = await call('GET', '/releases?limit=1');
      expect(first.body.items.map((item: { name: string }) => item.name)[0]).toBe('drafts');
      expect((await call('GET', '/releases?cursor=x')).status).toBe(400);
      const path = `/releases/${name}`;
      const link = await call('POST', `${path}/preview-links`, { body: {} });
      expect([link.status, link.body.token.length]).toEqual([201, 43]);
      const { token: _, ...listed } = link.body;
      expect((await call('GET', `${path}/preview-links`)).body).toEqual({ items: [listed] });
      expect((await call('DELETE', `${path}/preview-links/${listed.id}`)).status).toBe(204);
      expect((await call('PATCH', path, { body: { title: null } })).body).not.toHaveProperty('title');
      await call('POST', `/contents?release=${name}`, { body: { _type: text, name } });
      expect((await call('GET', path)).body.drafts).toBe(1);
      expect((await call('DELETE', path)).body.problems).toEqual([
        { path: 'drafts', message: 'must be the number of drafts that are deleted with the release: 1' },
      ]);
      expect((await call('DELETE', `${path}?drafts=1`)).status).toBe(204);
      for (const [method, rest, body] of [
        ['GET', ''],
        ['PATCH', '', { title: 'x' }],
        ['DELETE', ''],
        ['GET', '/drafts'],
        ['DELETE', `/drafts/${name}`],
        ['POST', `/drafts/${name}/rebase`, {}],
        ['POST', '/publish', {}],
        ['PUT', '/schedule', { at: 8_640_000_000_000_000 }],
        ['DELETE', '/schedule'],
        ['GET', '/preview-links'],
        ['POST', '/preview-links', {}],
        ['DELETE', `/preview-links/${name}`],
      ] as [string, string, object?][]) {
        const { status } = await call(method, path + rest, body ? { body } : {});
        expect([method, rest, status]).toEqual([method, rest, 404]);
      }
    });

    it('leave what is done with them in the audit', async ({ skip }) => {
      if (!(await keepsHistory(instance()))) skip('the store keeps no change log');
      const name = newName().replaceAll(' ', '-');
      const path = `/releases/${name}`;
      const at = 8_640_000_000_000_000;
      await call('POST', '/releases', { body: { name } });
      await call('PATCH', path, { body: { title: 'Spring' } });
      for (const _ of ['first', 'again']) await call('PUT', `${path}/schedule`, { body: { at } });
      for (const _ of ['first', 'again']) await call('DELETE', `${path}/schedule`);
      await call('POST', `/contents?release=${name}`, { body: { _type: text, name } });
      const link = await call('POST', `${path}/preview-links`, { body: {} });
      await call('DELETE', `${path}/preview-links/${link.body.id}`);
      const { run } = (await call('POST', `${path}/publish`, { body: {} })).body;
      await call('DELETE', path);
      const types = ['ReleaseAction', 'PreviewLink'].map((type) => `type=com.colophon.system.${type}`);
      const { items } = (await call('GET', `/changes?limit=100&${types.join('&')}`)).body;
      type Line = { description: string; name: string; run?: string; by: { kind: string } };
      const lines: Line[] = items.filter((line: Line) => line.name === name);
      expect(lines.map(({ description }) => description.replace(` "${name}"`, '')).reverse()).toEqual([
        'Created release',
        'Changed the title of release',
        ...Array(2).fill('Scheduled release for +275760-09-13T00:00:00.000Z'),
        'Took back the schedule of release',
        'Created preview link of the release',
        'Deleted preview link of the release',
        'Published drafts of release (drafts: 1)',
        'Deleted release',
      ]);
      expect(lines[1]).toMatchObject({ run, by: { kind: 'client' } });
      expect((await call('GET', `/runs/${run}`)).body.writes).toEqual({ create: 1, update: 0, delete: 0 });
    });

    it('keep assets that are withdrawn', async ({ skip }) => {
      if (!(await keepsHistory(instance()))) skip('the store keeps no change log');
      const id = await createAsset({ _type: text, name: 'off' });
      const twice = { _type: text, _id: randomUUID(), name: 'twice' };
      for (const release of ['?release=drafts', ''])
        await call('POST', `/contents${release}`, { body: twice });
      expect((await call('POST', `/contents/${twice._id}/withdraw`)).body.code).toBe('id_in_use');
      await call('DELETE', `/releases/drafts/drafts/${twice._id}`);
      const stale = { headers: { 'If-Match': '"other"' } };
      expect((await call('POST', `/contents/${id}/withdraw`, stale)).status).toBe(412);
      const { headers, body } = await call('POST', `/contents/${id}/withdraw`);
      expect(headers).toHaveProperty('x-change');
      expect(body.references).toEqual({ count: 0, types: [], items: [], unsearched: [] });
      expect(body.schedules).toEqual([]);
      expect((await call('GET', `/contents/${id}`)).status).toBe(404);
      const other = (await call('POST', '/contents?release=drafts', { body: { _type: text } })).body._id;
      const drafts = `/releases/drafts/drafts?asset=${id}&asset=${other}&asset=${twice._id}`;
      const { items, ...rest } = (await call('GET', drafts)).body;
      expect(rest).toEqual({});
      expect(
        new Map(items.map((one: { asset: string; withdrawn?: true }) => [one.asset, one.withdrawn])),
      ).toEqual(
        new Map([
          [id, true],
          [other, undefined],
        ]),
      );
      expect((await call('GET', `${drafts}&cursor=${id}`)).status).toBe(400);
      await call('DELETE', `/releases/drafts/drafts/${other}`);
      const all = await call('POST', '/releases/drafts/publish', { body: { dryRun: true } });
      expect(all.body.skipped).toEqual([
        { asset: id, type: text, title: 'off', action: 'create', withdrawn: true },
      ]);
      const published = await call('POST', '/releases/drafts/publish', { body: { only: [id] } });
      expect(published.body.items).toMatchObject([{ asset: id, action: 'create' }]);
      expect((await call('GET', `/contents/${id}`)).body.name).toBe('off');
    });

    it('go live at the time that they are scheduled for', async ({ skip }) => {
      if (!(await keepsHistory(instance()))) skip('the store keeps no change log');
      const name = newName().replaceAll(' ', '-');
      const path = `/releases/${name}`;
      await call('POST', '/releases', { body: { name } });
      const { body } = await call('POST', `/contents?release=${name}`, { body: { _type: text, name } });
      const past = await call('PUT', `${path}/schedule`, { body: { at: 1 } });
      expect(past.body.problems).toEqual([
        { path: 'at', message: 'must be later than the present time of the store' },
      ]);
      const at = Date.now() + 1_000;
      const scheduled = await call('PUT', `${path}/schedule`, { body: { at } });
      expect(scheduled).toMatchObject({ status: 200, body: { publishAt: at, drafts: 1 } });
      const listed = await call('GET', '/releases?scheduled=true');
      expect(listed.body.items).toEqual([scheduled.body]);
      expect((await call('GET', `/contents/${body._id}`)).status).toBe(404);
      const bad = `/releases/${name}-bad`;
      await call('POST', '/releases', { body: { name: `${name}-bad` } });
      await call('POST', `/contents?release=${name}-bad`, { body: { _type: text } });
      await call('PUT', `${bad}/schedule`, { body: { at } });
      await call('POST', '/releases', { body: { name: `${name}-2` } });
      await call('PUT', `/releases/${name}-2/schedule`, { body: { at } });
      expect((await call('DELETE', `/releases/${name}-2/schedule`)).status).toBe(204);
      expect((await call('GET', `/releases/${name}-2`)).body).not.toHaveProperty('publishAt');
      await expect
        .poll(async () => (await call('GET', `/contents/${body._id}`)).status, { timeout: 10_000 })
        .toBe(200);
      expect(Date.now()).toBeGreaterThanOrEqual(at);
      expect((await call('GET', path)).body).not.toHaveProperty('publishAt');
      await expect
        .poll(async () => (await call('GET', bad)).body, { timeout: 10_000 })
        .toMatchObject({
          publishAt: at,
          stopped: { message: expect.stringContaining('cannot be published') },
        });
      const { releases } = (await call('GET', '/dashboard')).body;
      expect(releases.items.map((item: { name: string }) => item.name)).toContain(`${name}-bad`);
      expect((await call('DELETE', `${bad}?drafts=1`)).status).toBe(204);
    });

    it('are based on live assets of their type, or on former states that are known', async ({ skip }) => {
      if (!(await keepsHistory(instance()))) skip('the store keeps no change log');
      const [id, other] = [
        await createAsset({ _type: text, name: 'x' }),
        await createAsset({ _type: text, name: 'y' }),
      ];
      for (const each of [id, other]) {
        await call('PUT', `/contents/${each}?release=drafts`, { body: { name: 'drafted' } });
        await call('DELETE', `/contents/${each}`);
      }
      await call('POST', '/contents', { body: { _type: site, _id: id, name: newName() } });
      const rebase = async (asset: string) =>
        (await call('POST', `/releases/drafts/drafts/${asset}/rebase`, { body: {} })).body.code;
      expect(await rebase(id)).toBe('id_in_use');
      await trimHistory(location());
      expect(await rebase(other)).toBe('history_removed');
      for (const asset of [id, other]) await call('DELETE', `/releases/drafts/drafts/${asset}`);
    });

    it('go live in one step, as a run that can be reverted, or tell all that is wrong', async ({ skip }) => {
      if (!(await keepsHistory(instance()))) skip('the store keeps no change log');
      const [name, release] = [newName(), newName().replaceAll(' ', '-')];
      const id = await createAsset({ _type: text, name });
      await call('POST', '/releases', { body: { name: release } });
      const inRelease = `?release=${release}`;
      const path = `/releases/${release}`;
      await call('PUT', `/contents/${id}${inRelease}`, { body: { name: `${name} drafted` } });
      const gone = '01935e4a-7c1b-7d52-9a6e-2f0c8b41d3e7';
      const wrong = { 'cms.site.owner': { _ref: gone, _type: site } };
      const other = await call('POST', `/contents${inRelease}`, { body: { _type: text, ...wrong } });
      await call('PUT', `/contents/${id}`, { body: { name: `${name} of others` } });

      const listed = await call('GET', `${path}/drafts`);
      const [draft] = listed.body.items.filter((item: { asset: string }) => item.asset === id);
      expect(draft).toMatchObject({
        title: `${name} drafted`,
        action: 'change',
        changed: ['name'],
        by: { kind: 'client' },
        findings: [{ code: 'edit_conflict' }],
      });
      const refused = await call('POST', `${path}/publish`, { body: {} });
      expect([refused.status, refused.body.code]).toEqual([409, 'publication_refused']);
      expect(codesOf(refused)).toEqual(['edit_conflict', 'invalid_body', 'invalid_body']);
      const checked = await call('POST', `${path}/publish`, { body: { dryRun: true } });
      expect([checked.status, checked.body.findings]).toEqual([200, refused.body.findings]);
      const [conflict] = refused.body.findings.filter(({ asset }: { asset: string }) => asset === id);
      expect(conflict.conflicts).toEqual([
        { path: 'name', base: name, theirs: `${name} of others`, yours: `${name} drafted` },
      ]);

      const rebase = `${path}/drafts/${id}/rebase`;
      expect((await call('POST', rebase, { body: { live: 'x' } })).status).toBe(412);
      const rebased = await call('POST', rebase, { body: { live: conflict.live } });
      expect(rebased.body).toMatchObject({ asset: id, action: 'change', changed: ['name'] });
      expect((await call('DELETE', `${path}/drafts/${other.body._id}`)).status).toBe(204);
      const unknown = { only: [other.body._id] };
      expect((await call('POST', `${path}/publish`, { body: unknown })).body.problems).toEqual([
        { path: 'only[0]', message: 'has no draft in the release' },
      ]);
      const keyed = { headers: { 'Idempotency-Key': `publish ${name}`.replaceAll(' ', '-') } };
      const published = await call('POST', `${path}/publish`, { ...keyed, body: { only: [id] } });
      expect(published).toMatchObject({ status: 200, body: { findings: [], items: [{ asset: id }] } });
      const again = await call('POST', `${path}/publish`, { ...keyed, body: { only: [id.toUpperCase()] } });
      expect(again).toMatchObject({ headers: { 'idempotency-replayed': 'true' }, body: published.body });
      expect((await call('POST', `${path}/publish`, { ...keyed, body: {} })).body.code).toBe(
        'idempotency_key_reused',
      );
      expect((await call('GET', `/contents/${id}`)).body.name).toBe(`${name} drafted`);
      expect((await call('POST', `${path}/publish`, { body: {} })).body).toEqual({
        items: [],
        skipped: [],
        findings: [],
      });
      const { body: run } = await call('GET', `/runs/${published.body.run}`);
      expect(run.writes).toEqual({ create: 0, update: 1, delete: 0 });
      const plan = await call('POST', `/runs/${published.body.run}/revert`, { body: { dryRun: true } });
      expect(plan.body.items).toMatchObject([{ asset: id, action: 'update' }]);
      expect(plan.body.items[0]).not.toHaveProperty('conflict');
    });
  });
}
