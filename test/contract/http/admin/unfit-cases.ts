/** Cases of unfit content where all content fits. What does not fit is tested in `test/contract/http/unfit`. */
import { describe, expect, it } from 'vitest';
import { text } from '../cma/cma-content.ts';
import type { AdminContext } from './admin-caller.ts';

/** Runs the cases. */
export function describeUnfit({ call, createAsset }: AdminContext): void {
  describe('the report of unfit content', () => {
    it('has no rules while all content fits', async () => {
      const { status, body } = await call('GET', '/unfit');
      expect(status).toBe(200);
      for (const { rules } of body.items) expect(rules).toEqual([]);
    });

    it('lists no assets of a type and no fields of an asset', async () => {
      const id = await createAsset({ _type: text, name: 'Fits' });
      const assets = await call('GET', `/unfit/assets?type=${text}`);
      expect([assets.status, assets.body.items]).toEqual([200, []]);
      const fields = await call('GET', `/contents/${id}/unfit`);
      expect([fields.status, fields.body]).toEqual([200, { items: [] }]);
    });

    it('has no rules that values of a type without rules break', async () => {
      const checked = await call('POST', '/contents/check', { body: { _type: text, name: 7 } });
      expect([checked.status, checked.body]).toEqual([200, { items: [] }]);
      const unknown = await call('POST', '/contents/check', { body: { _type: 'com.example.Poem' } });
      expect([unknown.status, unknown.body.code]).toEqual([400, 'unknown_type']);
    });

    it('refuses a missing and an unknown type', async () => {
      expect((await call('GET', '/unfit/assets')).status).toBe(400);
      expect((await call('GET', '/unfit/assets?type=com.example.Poem')).status).toBe(400);
    });
  });
}
