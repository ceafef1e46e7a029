/** The record of names: a field stays under the name with which it was first stored, whatever it is called later. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Asset, JsonObject } from '../../../../src/model/content-type.ts';
import { mongodbUrl } from '../../../support/mongo-url.ts';
import {
  describeOnEachStore,
  mongoLocation,
  type StoreLocation,
  sqliteLocation,
} from '../../../support/stores.ts';
import { createFolder, load, readStore, save } from '../../backup/copies.ts';
import { newId, type ServedStore, serveStore } from './changed-types.ts';
import { useServedStores } from './served-stores.ts';

const typeOf = (fields: string, rest = '') => `type Note @contentType(class: "n.Note") { ${fields} } ${rest}`;
const former = typeOf('title: String @indexed');
const present = typeOf('headline: String @indexed @was(name: "title")');
const bare = typeOf('headline: String @indexed');

async function add(served: ServedStore, fields: JsonObject, _type = 'n.Note'): Promise<string> {
  const asset: Asset = { _id: newId(), _type, ...fields };
  await served.insert(asset);
  return asset._id;
}

async function fieldsOf(served: ServedStore, id: string): Promise<JsonObject> {
  const { _id, _type, ...fields } = (await served.read(id)) ?? {};
  return fields;
}

/** What a store has itself, by `_id`. */
async function storedIn(location: StoreLocation): Promise<Record<string, JsonObject>> {
  const { assets } = await readStore(location);
  return Object.fromEntries(
    [...assets].map(([id, { asset }]) => {
      const { _id, _type, ...fields } = asset as Asset;
      return [id, fields];
    }),
  );
}

describeOnEachStore('the record of names', (locations) => {
  const stores = useServedStores(locations);

  it('lets @was leave the types after the first start, and the types go back and forward', async () => {
    const first = await stores.serve(former);
    const id = await add(first, { title: 'a' });
    await stores.serve(present);
    const third = await stores.serve(bare);
    expect(await fieldsOf(third, id)).toEqual({ headline: 'a' });
    expect(await third.find('n.Note', 'headline = a')).toEqual([id]);
    await third.patch({ _id: id, _type: 'n.Note' }, { headline: 'b' });
    expect(await fieldsOf(first, id)).toEqual({ title: 'b' });
    await stores.stopAll();
    const back = await stores.serve(former);
    const later = await add(back, { title: 'c' });
    const latest = await stores.serve(typeOf('heading: String @was(name: "headline")'));
    expect(await fieldsOf(latest, later)).toEqual({ heading: 'c' });
    expect(await fieldsOf(await stores.serve(bare), later)).toEqual({ headline: 'c' });
    expect(await storedIn(stores.location)).toEqual({ [id]: { title: 'b' }, [later]: { title: 'c' } });
  });

  it('keeps a former name taken, also inside a dotted name', async () => {
    await stores.serve(former);
    await stores.serve(present);
    const message = /cannot be stored: the store has the values of "headline" under the name "title"/;
    for (const other of ['title: String', 'title_short: String @json(name: "title.short")'])
      await expect(stores.serve(typeOf(`headline: String ${other}`))).rejects.toThrow(message);
    expect(stores.count).toBe(2);
  });

  it('gives two first processes with different names of a field one stored name', async () => {
    for (let round = 0; round < 4; round++) {
      const pair = round % 2 === 0 ? [former, present] : [present, former];
      const [one, other] = await Promise.all(pair.map((sdl) => stores.serve(sdl)));
      if (!one || !other) throw new Error('two processes were started');
      const [mine, theirs] = round % 2 === 0 ? ['title', 'headline'] : ['headline', 'title'];
      const id = await add(one, { [mine]: 'a' });
      expect(await fieldsOf(other, id)).toEqual({ [theirs]: 'a' });
      await other.patch({ _id: id, _type: 'n.Note' }, { [theirs]: 'b' });
      expect(await fieldsOf(one, id)).toEqual({ [mine]: 'b' });
      await stores.stopAll();
    }
  });

  it('shows a removed field under its last name, and drops it under any', async () => {
    const id = await add(await stores.serve(former), { title: 'a' });
    await stores.serve(present);
    const other = 'other: String';
    expect(await fieldsOf(await stores.serve(typeOf(other)), id)).toEqual({ headline: 'a' });
    const drop = (name: string) =>
      `type Note @contentType(class: "n.Note") @drops(fields: ["${name}"]) { ${other} }`;
    for (const name of ['title', 'headline'])
      expect(await fieldsOf(await stores.serve(drop(name)), id)).toEqual({});
  });

  it('keeps the names inside an embedded type that is renamed', async () => {
    const place = (name: string, field: string) =>
      typeOf(`place: ${name} stops: [${name}!]`, `type ${name} { ${field}: String inner: ${name} }`);
    const id = await add(await stores.serve(place('Place', 'town')), {
      place: { town: 'Rome', inner: { town: 'Ostia' } },
      stops: [{ town: 'Pisa' }],
    });
    await stores.serve(place('Place', 'city').replace('city: String', 'city: String @was(name: "town")'));
    const renamed = await stores.serve(place('Spot', 'city'));
    const shown = { place: { city: 'Rome', inner: { city: 'Ostia' } }, stops: [{ city: 'Pisa' }] };
    expect(await fieldsOf(renamed, id)).toEqual(shown);
    expect(await renamed.find('n.Note', 'place.city = Rome and stops.city = Pisa')).toEqual([id]);
  });

  it('stores a field of an interface under one name in all types, also in a later one', async () => {
    const titled = (name: string, types: string) =>
      `interface Titled @contentType(class: "n.Titled") { ${name}: String place: Place } type Place { town: String } ${types}`;
    const note = (name: string) =>
      `type Note implements Titled @contentType(class: "n.Note") { ${name}: String @indexed place: Place }`;
    const page = (name: string) => note(name).replaceAll('Note', 'Page');
    const id = await add(await stores.serve(titled('title', note('title'))), { title: 'b' });
    await stores.serve(
      titled('headline', note('headline')).replaceAll(
        'headline: String',
        'headline: String @was(name: "title")',
      ),
    );
    const both = await stores.serve(titled('headline', `${note('headline')} ${page('headline')}`));
    const other = await add(both, { headline: 'a' }, 'n.Page');
    expect(await both.find('n.Titled', 'headline != c', 'headline')).toEqual([other, id]);
    expect(await both.facet('n.Titled', 'headline')).toEqual([
      ['a', 1],
      ['b', 1],
    ]);
    expect((await storedIn(stores.location))[other]).toEqual({ title: 'a' });
  });

  it('refuses an order by a field with several stored names, and names the way out', async () => {
    const types = (name: string) =>
      `interface Titled @contentType(class: "n.Titled") { ${name}: String }
      type Note implements Titled @contentType(class: "n.Note") { ${name}: String @indexed }
      type Page implements Titled @contentType(class: "n.Page") { ${name}: String @indexed }`;
    await stores.serve(former);
    await stores.serve(`type Page @contentType(class: "n.Page") { headline: String }`);
    const both = await stores.serve(
      types('headline').replaceAll('headline: String', 'headline: String @was(name: "title")'),
    );
    for (const call of [
      () => both.find('n.Titled', 'headline = a', 'headline'),
      () => both.facet('n.Titled', 'headline'),
    ])
      await expect(call()).rejects.toMatchObject({
        code: 'invalid_parameter',
        message: /imported into a new store/,
      });
  });

  it('binds a field anew by a late @was, if one of its names has no values', async () => {
    const old = await stores.serve(former);
    const fresh = await stores.serve(bare);
    // Neither has values: the former name is kept, which servers with the former types write.
    await stores.stop(fresh);
    const id = await add(old, { title: 'a' });
    expect(await fieldsOf(await stores.serve(present), id)).toEqual({ headline: 'a' });
    expect(await fieldsOf(await stores.serve(bare), id)).toEqual({ headline: 'a' });
  });

  it('keeps the present name by a late @was, if the former one has no values', async () => {
    await stores.serve(former);
    const id = await add(await stores.serve(bare), { headline: 'a' });
    await stores.stopAll();
    expect(await fieldsOf(await stores.serve(present), id)).toEqual({ headline: 'a' });
    expect(await fieldsOf(await stores.serve(former), id)).toEqual({ title: 'a' });
    expect(await storedIn(stores.location)).toEqual({ [id]: { headline: 'a' } });
  });

  it('refuses a late @was, with counts, if both names have values', async () => {
    const old = await stores.serve(former);
    const fresh = await stores.serve(bare);
    for (const title of ['a', 'b']) await add(old, { title });
    const id = await add(fresh, { headline: 'c' });
    const message =
      /n\.Note headline.*1 assets have a value under "headline", 2 assets have a value under "title"/s;
    await expect(stores.serve(present)).rejects.toMatchObject({ code: 'bad_config', message });
    await fresh.patch({ _id: id, _type: 'n.Note' }, {}, ['headline']);
    expect(await fieldsOf(await stores.serve(present), id)).toEqual({});
  });
});

describeOnEachStore('a backup of renamed fields', (locations) => {
  let folder: ReturnType<typeof createFolder>;
  let places: StoreLocation[];
  let served: ServedStore[];
  beforeEach(() => {
    folder = createFolder();
    places = [];
    served = [];
  });
  afterEach(async () => {
    for (const one of served) await one.store.close();
    for (const place of places) await place.remove();
  });

  it('is restored into both kinds of stores, where @was is not needed', async () => {
    const source = locations();
    places.push(source);
    const serve = async (location: StoreLocation, sdl: string) => {
      const opened = await serveStore(location, sdl);
      served.push(opened);
      return opened;
    };
    const id = await add(await serve(source, former), { title: 'a' });
    await serve(source, present);
    await save(source, folder.path('backup'));
    const url = mongodbUrl();
    for (const target of [sqliteLocation(), ...(url === '' ? [] : [mongoLocation(url)])]) {
      places.push(target);
      await load(target, folder.path('backup'));
      const restored = await serve(target, bare);
      expect(await fieldsOf(restored, id)).toEqual({ headline: 'a' });
      expect(await restored.find('n.Note', 'headline = a')).toEqual([id]);
      expect((await storedIn(target))[id]).toEqual({ title: 'a' });
    }
  });
});
