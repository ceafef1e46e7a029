/** Stores with content from before a deployment that renamed fields and classes, while a process with the former types may run. */
import { describe, expect, it } from 'vitest';
import type { Asset } from '../../../../src/model/content-type.ts';
import { describeOnEachStore } from '../../../support/stores.ts';
import { formerTypes, latestTypes, newId, presentTypes } from './changed-types.ts';
import { useServedStores } from './served-stores.ts';

const writer = (title: string): Asset => ({ _id: newId(), _type: 't.Writer', title });
const story = (title: string, fields: object = {}): Asset => ({
  _id: newId(),
  _type: 't.Story',
  title,
  ...fields,
});
const writtenBy = ({ _id }: Asset) => ({ writer: { _ref: _id, _type: 't.Writer' } });
const authoredBy = ({ _id }: Asset) => ({ author: { _ref: _id, _type: 't.Author' } });

describeOnEachStore('content of former types', (locations) => {
  const stores = useServedStores(locations);

  async function fill() {
    const former = await stores.serve(formerTypes);
    const ada = writer('Ada');
    const bert = writer('Bert');
    const first = story('Blue sky', {
      code: 'b',
      rank: 2,
      labels: ['x', 'y'],
      place: { town: 'Rome', owner: { _ref: ada._id, _type: 't.Writer' }, inner: { town: 'Ostia' } },
      stops: [{ town: 'Pisa' }, { town: 'Siena' }],
      ...writtenBy(ada),
    });
    const second = story('Apple tree', { code: 'a', rank: 1, labels: ['x'], ...writtenBy(bert) });
    const third = story('Cold sea', { rank: 3 });
    for (const asset of [ada, bert, first, second, third]) await former.insert(asset);
    return { former, ada, bert, first, second, third };
  }

  it('is read under the present names, whole and as text', async () => {
    const { first, ada } = await fill();
    const present = await stores.serve(presentTypes);
    const expected = {
      _id: first._id,
      _type: 't.Story',
      headline: 'Blue sky',
      number: 'b',
      rank: 2,
      tags: ['x', 'y'],
      location: { city: 'Rome', owner: { _ref: ada._id, _type: 't.Author' }, inner: { city: 'Ostia' } },
      stops: [{ city: 'Pisa' }, { city: 'Siena' }],
      ...authoredBy(ada),
    };
    expect(await present.read(first._id)).toEqual(expected);
    expect(await present.read(ada._id)).toEqual({ _id: ada._id, _type: 't.Author', headline: 'Ada' });
    expect((await present.store.texts.get(first._id))?.text).toBe(JSON.stringify(expected));
    const { found } = await present.store.getMany([ada._id]);
    expect(found.get(ada._id)?.asset.headline).toBe('Ada');
    expect(await present.store.getTypes([ada._id])).toEqual(new Map([[ada._id, 't.Author']]));
    expect(await present.store.countOthers([...present.catalog.types.keys()])).toEqual(new Map());
  });

  it('is found, sorted, counted and paged by the present names', async () => {
    const { ada, bert, first, second, third } = await fill();
    const present = await stores.serve(presentTypes);
    const cases: readonly [string, readonly Asset[]][] = [
      ['headline = "Blue sky"', [first]],
      ['headline matches "sky sea"', [first, third]],
      ['headline startsWith "A"', [second]],
      ['number = a', [second]],
      ['number = null', [third]],
      ['tags = y', [first]],
      ['not tags = x', [third]],
      ['location.city = Rome', [first]],
      ['location.inner.city = Ostia', [first]],
      ['stops.city = Siena', [first]],
      ['stops any (city = Siena and not city = Pisa)', [first]],
      ['stops every (city = Siena)', [second, third]],
      ['stops any (city =[c] siena and city matches siena)', [first]],
      ['author/headline = Ada', [first]],
      ['author/_type = "t.Author"', [first, second]],
      ['location.owner/headline = Ada', [first]],
      ['author = null or headline = "Apple tree"', [second, third]],
    ];
    for (const [where, assets] of cases) {
      expect(await present.find('t.Story', where), where).toEqual(assets.map(({ _id }) => _id));
    }
    const ids = (assets: readonly Asset[]) => assets.map(({ _id }) => _id);
    expect(await present.find('t.Story', 'true', 'headline')).toEqual(ids([second, first, third]));
    expect(await present.find('t.Story', 'true', '-location.city,-number')).toEqual(
      ids([first, second, third]),
    );
    expect(await present.find('t.Author', 'headline = Bert')).toEqual([bert._id]);
    expect(await present.find('t.Titled', 'true', 'headline')).toEqual(
      ids([ada, second, bert, first, third]),
    );
    expect(await present.find('t.Titled', '_type = "t.Author" and headline = Ada')).toEqual([ada._id]);
    expect(await present.find('t.Titled', '_type = "t.Story" and headline = Ada')).toEqual([]);
    expect(await present.facet('t.Story', 'tags')).toEqual([
      ['x', 2],
      ['y', 1],
    ]);
    expect(await present.facet('t.Story', 'location.city')).toEqual([['Rome', 1]]);
  });

  it('is used by the indexes of the former names, which plans name as they are called now', async () => {
    await fill();
    const present = await stores.serve(presentTypes);
    const types = ['t.Story'];
    const where = {
      kind: 'equals',
      path: {
        text: 'headline',
        steps: [{ name: 'headline', list: false }],
        leaf: { kind: 'scalar', scalar: 'String' },
      },
      values: ['Blue sky'],
      ignoreCase: false,
    } as const;
    const plan = await present.store.explain({ types, where, offset: 0, limit: 10, withCount: false });
    // The test server for MongoDB names no indexes in its plans.
    expect(plan.indexes).toEqual(present.store.system === 'sqlite' ? ['headline'] : []);
    expect(await present.store.findUnenforcedUniqueFields()).toEqual([]);
  });

  it('is written for processes with either types, which read what the other wrote', async () => {
    const { former, first, ada } = await fill();
    const present = await stores.serve(presentTypes);
    const added = {
      _id: newId(),
      _type: 't.Story',
      headline: 'Dawn',
      number: 'd',
      location: { city: 'Bari' },
      ...authoredBy(ada),
    };
    await present.insert(added);
    expect(await former.read(added._id)).toEqual(
      story('Dawn', {
        _id: added._id,
        code: 'd',
        place: { town: 'Bari' },
        ...writtenBy(ada),
      }),
    );
    expect(await former.find('t.Story', 'title = Dawn and writer/title = Ada')).toEqual([added._id]);
    await former.patch(first, { title: 'Grey sky' });
    expect(await present.find('t.Story', 'headline = "Grey sky"')).toEqual([first._id]);
    await present.patch(first, { headline: 'Red sky' }, ['number']);
    const { code: _, ...others } = first;
    expect(await former.read(first._id)).toEqual({ ...others, title: 'Red sky' });
    const later = { ...story('Evening'), code: 'e' };
    await former.insert(later);
    expect((await present.read(later._id))?.number).toBe('e');
    const { store } = present;
    expect(await store.delete({ id: ada._id, type: 't.Author' })).toBe(true);
    expect(await former.read(ada._id)).toBeUndefined();
  });

  it('stays unique, and errors name the field as it is called now', async () => {
    await fill();
    const present = await stores.serve(presentTypes);
    const asset = { _id: newId(), _type: 't.Story', headline: 'Again', number: 'a' };
    const inUse = { code: 'value_in_use', details: { field: 'number', value: 'a' } };
    await expect(present.insert(asset)).rejects.toMatchObject(inUse);
    const write = { kind: 'insert', asset, version: 'w' } as const;
    expect(await present.store.write([write])).toMatchObject([{ kind: 'failed', error: inUse }]);
    const shelved = { _type: 't.Story', headline: 'Shelved', rack: 'A', slot: 1 };
    await present.insert({ ...shelved, _id: newId() });
    const taken = {
      code: 'value_in_use',
      details: { field: expect.stringMatching(/^(slot,rack|rack,slot)$/) },
    };
    await expect(present.insert({ ...shelved, _id: newId() })).rejects.toMatchObject(taken);
  });

  it('has its history under the present names', async () => {
    const { former, first } = await fill();
    if (!former.store.capabilities.changes) return;
    await former.patch(first, { title: 'Grey sky', place: { town: 'Bari' } });
    const present = await stores.serve(presentTypes);
    const { changes } = present.store;
    const { entries } = await changes.history({ asset: first._id, limit: 10 });
    expect(entries[0]).toMatchObject({
      type: 't.Story',
      changed: expect.arrayContaining(['headline', 'location']),
      before: { headline: 'Blue sky', location: { city: 'Rome', inner: { city: 'Ostia' } } },
    });
    const state = await changes.stateOf(first._id, { number: 1 });
    expect(state).toMatchObject({
      kind: 'exists',
      asset: { headline: 'Blue sky', location: { city: 'Rome' } },
    });
    const filter = { types: ['t.Author'] };
    const page = await changes.read({ order: 'oldest first', limit: 10, filter });
    expect(page.entries.map(({ type, changed }) => [type, changed])).toEqual([
      ['t.Author', ['headline']],
      ['t.Author', ['headline']],
    ]);
  });

  it('keeps its revision for types of the former name', async () => {
    const { former, ada } = await fill();
    const present = await stores.serve(presentTypes);
    const before = await present.store.revision(['t.Author']);
    await former.patch(ada, { title: 'Adele' });
    expect(await present.store.revision(['t.Author'])).not.toBe(before);
  });

  describe('after another deployment that renames again', () => {
    it('is read, found and written beside processes of all three', async () => {
      const { former, first, ada } = await fill();
      const present = await stores.serve(presentTypes);
      const latest = await stores.serve(latestTypes);
      expect(await latest.read(ada._id)).toEqual({ _id: ada._id, _type: 't.Person', heading: 'Ada' });
      expect(await latest.find('t.Story', 'author/heading = Ada and heading = "Blue sky"')).toEqual([
        first._id,
      ]);
      await latest.patch(first, { heading: 'Night' });
      expect((await present.read(first._id))?.headline).toBe('Night');
      expect((await former.read(first._id))?.title).toBe('Night');
    });
  });

  it('of a new store is stored under the present names', async () => {
    const present = await stores.serve(presentTypes);
    const asset = { _id: newId(), _type: 't.Author', headline: 'New' };
    await present.insert(asset);
    const latest = await stores.serve(latestTypes);
    expect(await latest.read(asset._id)).toEqual({ _id: asset._id, _type: 't.Person', heading: 'New' });
    const stored = await stores.serve(presentTypes.replaceAll(/ @was\([^)]*\)/g, ''));
    expect(await stored.read(asset._id)).toEqual(asset);
  });

  it('is searched in a type that was added together with the new name', async () => {
    const { first } = await fill();
    const present = await stores.serve(`${presentTypes}
      type Note implements Titled @contentType(class: "t.Note") { headline: String! location: Place @was(name: "place") }`);
    const note = { _id: newId(), _type: 't.Note', headline: 'Blue sky', location: { city: 'Rome' } };
    await present.insert(note);
    expect(await present.find('t.Titled', 'headline = "Blue sky"', '-headline')).toEqual(
      [first._id, note._id].toReversed(),
    );
  });
});
