/** Cases of files: editors upload, list and delete them. */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { fileUseClass, fileUseId } from '../../../../src/content/files/file-record.ts';
import type { AdminContext } from './admin-caller.ts';

/** The limit of the instance that the cases run on. */
export const maxFileBytes = 200_000;

/** Runs the cases. */
export function describeFiles({ call, signIn, instance, createAsset, newName }: AdminContext): void {
  const upload = async (name: string, raw: string, others = {}) =>
    call('POST', `/files?${new URLSearchParams({ name })}`, { raw, ...others });
  const list = async (query: string) => (await call('GET', `/files?${query}`)).body;
  const namesOf = ({ items }: { items: { name: string }[] }) => items.map(({ name }) => name);
  const use = (hash: string, asset: string) =>
    instance().services.system.create({ _id: fileUseId(hash, asset), _type: fileUseClass, hash, asset }, {});

  describe('files', () => {
    it('are uploaded by a user whose session has sent the CSRF token', async () => {
      const { headers } = await signIn();
      const { status, body } = await upload('notes.txt', 'some notes', { as: headers });
      expect([status, body]).toEqual([
        200,
        {
          hash: createHash('sha256').update('some notes').digest('hex'),
          name: 'notes.txt',
          mediaType: 'text/plain',
          bytes: 10,
        },
      ]);
      const { Cookie = '' } = headers;
      expect((await upload('notes.txt', 'some notes', { as: { Cookie } })).status).toBe(403);
    });

    it('are listed, the latest first, by the beginnings of words or by hash', async () => {
      const word = newName().replace(' ', '');
      const hashes: string[] = [];
      for (const n of [1, 2, 3]) {
        instance().advanceClock(10);
        hashes.push((await upload(`${word} part-${n}.txt`, `${word} ${n}`)).body.hash);
      }
      const names = [3, 2, 1].map((n) => `${word} part-${n}.txt`);
      expect(namesOf(await list(`search=${word}+par`))).toEqual(names);
      expect(namesOf(await list(`search=${hashes[1]}`))).toEqual([names[1]]);
      expect(namesOf(await list(`search=nowhere${word}`))).toEqual([]);
      const first = await list(`search=${word}&limit=2`);
      expect(namesOf(first)).toEqual(names.slice(0, 2));
      const second = await list(`search=${word}&limit=2&after=${first.next}`);
      expect([namesOf(second), second.next]).toEqual([names.slice(2), undefined]);
      await use(`${hashes[1]}`, await createAsset({ _type: 'com.colophon.cms.db.Text', name: 'A user' }));
      const [third] = first.items;
      expect(third).toMatchObject({ uses: 0, uploadedAt: expect.any(Number) });
      expect(third).not.toHaveProperty('key');
      expect(namesOf(await list(`search=${word}&unused=true&limit=2`))).toEqual([names[0], names[2]]);
    });

    it('have uses: assets with their titles, and those that are deleted', async () => {
      const { hash } = (await upload('used.txt', newName())).body;
      const asset = await createAsset({ _type: 'com.colophon.cms.db.Text', name: 'A user' });
      const deleted = '0190a0c0-0000-7000-8000-00000000dddd';
      await Promise.all([use(hash, asset), use(hash, deleted)]);
      const { body } = await call('GET', `/files/${hash}/uses`);
      expect(body.items).toHaveLength(2);
      expect(body.items).toEqual(
        expect.arrayContaining([
          { _id: asset, _type: 'com.colophon.cms.db.Text', title: 'A user' },
          { _id: deleted },
        ]),
      );
      const first = (await call('GET', `/files/${hash}/uses?limit=1`)).body;
      const second = (await call('GET', `/files/${hash}/uses?limit=1&after=${first.next}`)).body;
      expect([...first.items, ...second.items]).toHaveLength(2);
      const refused = await call('DELETE', `/files/${hash}`);
      expect([refused.status, refused.body.code]).toEqual([409, 'in_use']);
      expect(refused.body.detail).toContain(asset);
    });

    it('are deleted while nothing uses them', async () => {
      const { hash } = (await upload('unused.txt', newName())).body;
      expect((await call('DELETE', `/files/${hash}`)).status).toBe(204);
      expect((await call('DELETE', `/files/${hash}`)).status).toBe(404);
      expect((await call('GET', `/files/${hash}/uses`)).status).toBe(404);
    });

    it('are refused without a name, beyond the limit and in a content coding', async () => {
      expect((await call('POST', '/files', { raw: 'x' })).status).toBe(400);
      expect((await upload('large.txt', 'x'.repeat(maxFileBytes + 1))).status).toBe(413);
      const headers = { 'Content-Encoding': 'br' };
      expect((await upload('coded.txt', 'x', { headers })).status).toBe(415);
      expect((await call('GET', '/files?limit=0')).status).toBe(400);
      expect((await call('GET', '/files?after=nonsense')).status).toBe(400);
    });
  });
}
