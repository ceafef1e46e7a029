/** Stores with content from before a deployment that dropped fields, while a process with the former types may run. */
import { expect, it } from 'vitest';
import { verify } from '../../../../src/app/compose/compose-verify.ts';
import { readConfig } from '../../../../src/app/config/config.ts';
import type { Asset } from '../../../../src/model/content-type.ts';
import { describeOnEachStore } from '../../../support/stores.ts';
import { newId } from './changed-types.ts';
import { useServedStores } from './served-stores.ts';

const formerTypes = `
type Book @contentType(class: "t.Book") { title: String isbn: String @indexed pages: Int shelf: Shelf shelves: [Shelf!] }
type Shelf { room: String row: Int @indexed inner: Shelf }
`;
const presentTypes = `
type Book @contentType(class: "t.Book") @drops(fields: ["isbn"]) { title: String pages: Int shelf: Shelf shelves: [Shelf!] }
type Shelf @drops(fields: ["row"]) { room: String inner: Shelf }
`;
/** The same without `@drops`. */
const undroppedTypes = presentTypes.replaceAll(/@drops\(.*?\)/g, '');

const shelf = (room: string) => ({ room, row: 7, inner: { room: `${room} inside`, row: 8 } });
const shown = (room: string) => ({ room, inner: { room: `${room} inside` } });

describeOnEachStore('content with dropped fields', (locations) => {
  const stores = useServedStores(locations);

  async function fill() {
    const former = await stores.serve(formerTypes);
    const book: Asset = {
      _id: newId(),
      _type: 't.Book',
      title: 'Atlas',
      isbn: '978',
      shelf: shelf('A'),
      shelves: [shelf('B'), shelf('C')],
    };
    await former.insert(book);
    const present = await stores.serve(presentTypes);
    const visible = {
      _id: book._id,
      _type: 't.Book',
      title: 'Atlas',
      shelf: shown('A'),
      shelves: [shown('B'), shown('C')],
    };
    return { former, present, book, visible };
  }

  it('is read and found without their values', async () => {
    const { present, book, visible } = await fill();
    const { store } = present;
    expect(await present.read(book._id)).toEqual(visible);
    expect(JSON.parse((await store.texts.get(book._id))?.text ?? '')).toEqual(visible);
    const request = { types: ['t.Book'], offset: 0, limit: 10, withCount: false };
    expect((await store.find(request)).items.map(({ asset }) => asset)).toEqual([visible]);
    expect((await store.texts.find(request)).items.map(({ text }) => JSON.parse(text))).toEqual([visible]);
    expect(await present.find('t.Book', 'title = Atlas and shelf.room = A', '-title')).toEqual([book._id]);
  });

  it('keeps their values in the store when other fields are written', async () => {
    const { former, present, book, visible } = await fill();
    await present.patch(book, { pages: 12 }, ['title']);
    const { title: _, ...others } = book;
    expect(await former.read(book._id)).toEqual({ ...others, pages: 12 });
    const { title: __, ...visibleOthers } = visible;
    expect(await present.read(book._id)).toEqual({ ...visibleOthers, pages: 12 });
  });

  it('is shown with their values as long as they are not dropped', async () => {
    const { book } = await fill();
    const undropped = await stores.serve(undroppedTypes);
    expect(await undropped.read(book._id)).toEqual(book);
  });

  it('fits its types in a check of the store', async () => {
    await fill();
    const { findings } = await verify(
      { ...readConfig({}), ...stores.location.config },
      { isRepairing: false, begin: () => {}, progress: () => {} },
    );
    // This store was prepared for its own types alone.
    expect(findings.filter(({ part }) => part !== 'indexes')).toEqual([]);
  });

  it('has a history without them', async () => {
    const { former, present, book, visible } = await fill();
    const { store } = present;
    if (!store.capabilities.changes) return;
    await former.patch(book, { isbn: '979', pages: 3 });
    await former.patch(book, { isbn: '980' });
    const { entries } = await store.changes.history({ asset: book._id, limit: 10 });
    expect(entries.map(({ changed }) => changed)).toEqual([[], ['pages'], ['title', 'shelf', 'shelves']]);
    for (const { before } of entries) expect(before ?? {}).not.toHaveProperty('isbn');
    expect(await store.changes.stateOf(book._id, { number: 1 })).toMatchObject({
      kind: 'exists',
      asset: visible,
    });
  });
});
