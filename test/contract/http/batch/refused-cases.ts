/** Cases of refusals: one operation of a batch, or the whole batch. */
import { describe, expect, it } from 'vitest';
import { article, noAsset, text } from '../cma/cma-content.ts';
import { type BatchContext, type Operation, refer } from './batch-context.ts';

/** Runs the cases. */
export function describeRefusedBatches({
  call,
  newArticle,
  instance,
  post,
  run,
  createOf,
}: BatchContext): void {
  describe('a batch', () => {
    const bad: [name: string, operation: () => Operation, outcome: string][] = [
      ['null', () => null, '400 invalid_body '],
      ['a list', () => [], '400 invalid_body '],
      ['a text', () => 'create', '400 invalid_body '],
      ['a number', () => 1, '400 invalid_body '],
      ['no action', () => ({}), '400 invalid_body action'],
      ['an unknown action', () => ({ action: 'exchange' }), '400 invalid_body action'],
      ['an action that every object has', () => ({ action: 'constructor' }), '400 invalid_body action'],
      ['an unknown member', () => ({ ...createOf(), extra: 1 }), '400 invalid_body extra'],
      ['a member of a different action', () => ({ ...createOf(), ifMatch: '*' }), '400 invalid_body ifMatch'],
      ['no asset', () => ({ action: 'create' }), '400 invalid_body asset'],
      ['an asset that is null', () => ({ action: 'upsert', asset: null }), '400 invalid_body asset'],
      ['an asset that is a list', () => ({ action: 'update', asset: [] }), '400 invalid_body asset'],
      ['no id', () => ({ action: 'delete' }), '400 invalid_body id'],
      ['an id that is not a text', () => ({ action: 'delete', id: 5 }), '400 invalid_body id'],
      ['an id that is not a UUID', () => ({ action: 'delete', id: 'x' }), '400 invalid_body id'],
      ['an update without _id', () => ({ action: 'update', asset: {} }), '400 invalid_body _id'],
      [
        'an update with a wrong _id',
        () => ({ action: 'update', asset: { _id: 'x' } }),
        '400 invalid_body _id',
      ],
      [
        'an upsert without _type',
        () => ({ action: 'upsert', asset: { _id: noAsset } }),
        '400 invalid_body _type',
      ],
      ['an upsert without _id', () => ({ action: 'upsert', asset: { _type: text } }), '400 invalid_body _id'],
      ['an unknown type', () => ({ action: 'create', asset: { _type: 'x.Y' } }), '400 unknown_type _type'],
      ['by of a wrong type', () => ({ action: 'upsert', by: 5, asset: newArticle() }), '400 invalid_body by'],
      ['by null', () => ({ action: 'upsert', by: null, asset: newArticle() }), '400 invalid_body by'],
      [
        'by an unknown field',
        () => ({ action: 'upsert', by: 'nope', asset: newArticle() }),
        '400 invalid_body by',
      ],
      [
        'by a plain field',
        () => ({ action: 'upsert', by: 'headline', asset: newArticle() }),
        '400 invalid_body by',
      ],
      [
        'by an embedded field',
        () => ({ action: 'upsert', by: 'place.name', asset: newArticle() }),
        '400 invalid_body by',
      ],
      ['by _type', () => ({ action: 'upsert', by: '_type', asset: newArticle() }), '400 invalid_body by'],
      [
        'by a field that is absent',
        () => ({ action: 'update', by: 'slug', asset: { _type: article } }),
        '400 invalid_body slug',
      ],
      [
        'by a field that is null',
        () => ({ action: 'upsert', by: 'slug', asset: newArticle({ slug: null }) }),
        '400 invalid_body slug',
      ],
      [
        'by a field of a wrong type',
        () => ({ action: 'update', by: 'slug', asset: newArticle({ slug: { $gt: '' } }) }),
        '400 invalid_body slug',
      ],
      ['a field that breaks a rule', () => createOf({ score: 7 }), '400 invalid_body score'],
      ['a dangling reference', () => createOf({ author: refer(noAsset) }), '400 invalid_body author'],
    ];
    it.each(bad)('refuses only the invalid operation: %s', async (_name, operation, outcome) => {
      expect(await run([createOf(), operation(), createOf()])).toEqual(['created', outcome, 'created']);
    });

    it('reports all problems of an operation', async () => {
      const { results } = (
        await post([{ action: 'create', asset: { _type: article, slug: 'A', score: 3, place: {} } }])
      ).body.result;
      expect(results[0].error.problems.map(({ path }: { path: string }) => path)).toEqual([
        'slug',
        'headline',
        'status',
        'score',
        'place.name',
      ]);
    });

    const whole: [name: string, body: () => object, path: string][] = [
      ['nothing', () => ({}), 'operations'],
      ['null', () => ({ operations: null }), 'operations'],
      ['an object', () => ({ operations: {} }), 'operations'],
      ['none', () => ({ operations: [] }), 'operations'],
      ['1,001', () => ({ operations: Array(1001).fill({ action: 'delete', id: noAsset }) }), 'operations'],
      ['an unknown member', () => ({ operations: [createOf()], dryRun: true }), 'dryRun'],
      ['a text for atomic', () => ({ operations: [createOf()], atomic: 'true' }), 'atomic'],
      ['null for atomic', () => ({ operations: [createOf()], atomic: null }), 'atomic'],
      [
        'an unknown value of references',
        () => ({ operations: [createOf()], references: 'none' }),
        'references',
      ],
    ];
    it.each(whole)('is refused as a whole: %s', async (_name, body, path) => {
      const response = await call('POST', { path: '/batch', body: body() });
      expect([response.status, response.body.error.code, response.body.error.path]).toEqual([
        400,
        'invalid_body',
        path,
      ]);
    });

    it('is refused as a whole when its JSON has a name twice', async () => {
      const raw = `{"operations":[{"action":"delete","id":"${noAsset}","id":"${noAsset}"}]}`;
      const response = await call('POST', {
        path: '/batch',
        raw,
        headers: { 'Content-Type': 'application/json' },
      });
      expect([response.status, response.body.error.code]).toEqual([400, 'invalid_json']);
    });

    it('answers 413 and 415 as creating does', async () => {
      const path = '/batch';
      expect((await call('POST', { path, body: { operations: 'x'.repeat(5_000_000) } })).status).toBe(413);
      const headers = { 'Content-Type': 'text/plain' };
      expect((await call('POST', { path, raw: 'x', headers })).status).toBe(415);
    });

    it('accepts an asset of several MB among small ones', async () => {
      const large = createOf({ body: `<p>${'lorem '.repeat(500_000)}</p>` });
      expect(await run([createOf(), large, createOf()])).toEqual(['created', 'created', 'created']);
    });

    it('has no other methods', async () => {
      for (const method of ['GET', 'PUT', 'DELETE']) {
        const { status, headers } = await call(method, {
          path: '/batch',
          ...(method === 'PUT' ? { body: {} } : {}),
        });
        expect([status, headers.allow]).toEqual([405, 'POST']);
      }
      expect((await call('GET', { path: '/batch', client: null })).status).toBe(401);
    });

    it('requires a client with the scope cma:write that is not revoked', async () => {
      const body = { operations: [createOf()] };
      expect((await call('POST', { path: '/batch', body, client: null })).status).toBe(401);
      const reader = await instance().createClient({ scopes: ['cma:read'] });
      const revoked = await instance().createClient({});
      await instance().revoke(revoked);
      await instance().refresh();
      expect((await call('POST', { path: '/batch', body, client: reader })).status).toBe(403);
      expect((await call('POST', { path: '/batch', body, client: revoked })).status).toBe(401);
    });
  });
}
