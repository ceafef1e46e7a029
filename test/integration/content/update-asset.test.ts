import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ContentService } from '../../../src/content/content-service.ts';
import type { JsonObject } from '../../../src/model/content-type.ts';
import type { ContentStore } from '../../../src/store/port.ts';
import { contentOver, openStoreAt } from '../../support/content.ts';
import { describeOnEachStore } from '../../support/stores.ts';
import { catalogOf } from '../../support/types.ts';

const noteType = 'x.Note';
const pageType = 'x.Page';
const catalog = catalogOf(`
  type Note @contentType(class: "${noteType}") { text: String, other: Page }
  type Page @contentType(class: "${pageType}") { text: String }
`);
const missing = '0190a0c0-0000-7000-8000-00000000dead';

describeOnEachStore('an update of an asset whose type is known', (locations) => {
  let store: ContentStore;
  let reads: number;
  let content: ContentService;
  let others: ContentService;

  beforeEach(async () => {
    store = await openStoreAt(locations(), catalog);
    reads = 0;
    const get: ContentStore['get'] = (id) => {
      reads++;
      return store.get(id);
    };
    content = contentOver(catalog, { ...store, get });
    others = contentOver(catalog, store);
  });
  afterEach(() => store.close());

  const create = async (fields: JsonObject = {}) =>
    (await content.create({ _type: noteType, ...fields }, {})).asset._id;
  const update = (id: string, body: JsonObject, ifVersions?: readonly string[]) =>
    content.update({ id, body, ...(ifVersions && { ifVersions }) }, {});

  it('reads nothing after an update or the creation, nor when the body names the type', async () => {
    const known = await create({ text: 'a' });
    expect((await update(known.toUpperCase(), { text: 'b' })).asset).toMatchObject({ _id: known, text: 'b' });
    const { asset } = await others.create({ _type: noteType }, {});
    await update(asset._id, { _type: noteType, text: 'c' });
    expect(reads).toBe(0);
    const unknown = await others.create({ _type: noteType }, {});
    await update(unknown.asset._id, { text: 'd' });
    await update(unknown.asset._id, { text: 'e' });
    expect(reads).toBe(1);
    expect((await store.get(unknown.asset._id))?.asset).toMatchObject({ text: 'e' });
  });

  it('does not find an asset that others have deleted or replaced by one of another type', async () => {
    const id = await create();
    await others.delete({ id }, {});
    await expect(update(id, { text: 'b' })).rejects.toMatchObject({ code: 'not_found' });
    const again = await create();
    await others.delete({ id: again }, {});
    await others.create({ _type: pageType, _id: again }, {});
    expect((await update(again, { text: 'c' })).asset).toMatchObject({ _type: pageType, text: 'c' });
    await expect(update(again, { _type: noteType })).rejects.toMatchObject({
      details: { problems: [{ path: '_type', message: 'cannot be changed' }] },
    });
  });

  it('is refused for one or more versions that it does not have, whatever is wrong with the body', async () => {
    const id = await create();
    const refusal = { code: 'precondition_failed' };
    await expect(update(id, { text: 'b' }, ['v'])).rejects.toMatchObject(refusal);
    await expect(update(id, { text: 'b' }, ['v', 'w'])).rejects.toMatchObject(refusal);
    await expect(update(id, { text: 1 }, ['v'])).rejects.toMatchObject(refusal);
    const version = (await store.get(id))?.version ?? '';
    expect((await update(id, { text: 'b' }, [version])).asset).toMatchObject({ text: 'b' });
  });

  it('names what is wrong with the body and its references', async () => {
    const id = await create();
    const other = { _ref: missing, _type: pageType };
    await expect(update(id, { text: 1, _id: missing })).rejects.toMatchObject({
      details: { problems: [{ path: '_id' }, { path: 'text' }] },
    });
    await expect(update(id, { other })).rejects.toMatchObject({
      details: { problems: [{ path: 'other', message: `refers to ${missing}, which does not exist` }] },
    });
  });

  it('is hidden from a caller of other sites', async () => {
    const id = await create();
    const caller = { sites: [missing] };
    await expect(content.update({ id, body: { text: 'b' } }, caller)).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});
