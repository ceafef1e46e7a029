import { beforeAll, beforeEach, expect, it } from 'vitest';
import type { Asset, JsonObject } from '../../../../src/model/content-type.ts';
import { openRuns, type RunsUnderTest } from '../../../support/runs.ts';
import { describeOnEachStore } from '../../../support/stores.ts';
import { catalogOf } from '../../../support/types.ts';

const catalog = catalogOf(`
type Author @contentType(class: "a.Author") { name: String! @indexed(unique: true) books: [Book!] }
type Book @contentType(class: "a.Book") @check(where: "pages > 0", message: "A book has pages.") { title: String! author: Author @indexed pages: Int tags: [String!] }
`);

describeOnEachStore('reverting a run', (locations) => {
  let at: RunsUnderTest;
  let named = 0;

  beforeAll(async () => {
    at = await openRuns(locations(), catalog);
  });

  beforeEach(({ skip }) => skip(!at.store.capabilities.changes, 'the store keeps no change log'));

  const newName = (word = 'run') => `${word}-${++named}`;
  const create = async (_type: string, fields: JsonObject) =>
    (await at.content.create({ _type, ...fields }, {})).asset;
  const createAuthor = (fields: JsonObject = {}) =>
    create('a.Author', { name: newName('author'), ...fields });
  const createBook = (fields: JsonObject = {}) => create('a.Book', { title: newName('book'), ...fields });
  const update = (id: string, body: JsonObject) => at.content.update({ id, body }, {});
  const read = async (id: string) => (await at.store.get(id))?.asset;
  const to = ({ _id, _type }: Asset) => ({ _ref: _id, _type });

  /** An asset without the time of its last write. */
  const timeless = (asset: Asset | undefined) => ({ ...asset, 'cms.content.updateDate': 0 });

  it('gives every asset its former state', async () => {
    const run = newName();
    const [changed, removed, kept] = [
      await createBook({ pages: 1, tags: ['a'] }),
      await createBook(),
      await createBook(),
    ];
    const added = await at.inRun(run, async () => {
      await update(changed._id, { pages: 2, tags: null, title: 'Other' });
      await update(changed._id, { pages: 3 });
      await at.content.delete({ id: removed._id }, {});
      await update(kept._id, {});
      return createBook();
    });
    await at.revert(run);
    expect(timeless(await read(changed._id))).toEqual(timeless(changed));
    expect(timeless(await read(removed._id))).toEqual(timeless(removed));
    expect(timeless(await read(kept._id))).toEqual(timeless(kept));
    expect(await read(added._id)).toBeUndefined();
    expect(await at.runs.get(run)).toMatchObject({
      state: 'reverted',
      writes: { create: 1, update: 3, delete: 1 },
      isCounted: true,
      revert: { run: `revert-${run}`, state: 'finished', examined: 5, written: 3, conflicts: 0 },
    });
    expect(await at.runs.get(`revert-${run}`)).toMatchObject({
      by: { kind: 'client', id: 'admin' },
      revertOf: run,
      state: 'closed',
      writes: { create: 1, update: 1, delete: 1 },
    });
  });

  it('plans exactly what it then does, and changes nothing by planning', async () => {
    const run = newName();
    const [changed, removed] = [await createBook({ pages: 1 }), await createBook()];
    const added = await at.inRun(run, async () => {
      await update(changed._id, { pages: 2 });
      await update(changed._id, { pages: 3 });
      await at.content.delete({ id: removed._id }, {});
      return createBook();
    });
    for (const limit of [1, 2, 100]) {
      const plan = await at.planAll(run, limit);
      expect(plan.map(({ asset, action, changes }) => ({ asset, action, changes }))).toEqual([
        { asset: added._id, action: 'delete', changes: [] },
        { asset: removed._id, action: 'create', changes: [] },
        { asset: changed._id, action: 'update', changes: [{ path: 'pages', from: 3, to: 1 }] },
      ]);
    }
    expect(await read(changed._id)).toMatchObject({ pages: 3 });
    await at.revert(run);
    expect(await at.planAll(run)).toEqual([]);
    expect(await read(changed._id)).toMatchObject({ pages: 1 });
  });

  it('keeps what others wrote later, and reports it with all values', async () => {
    const run = newName();
    const book = await createBook({ pages: 1 });
    await at.inRun(run, () => update(book._id, { pages: 2 }));
    await at.asClient(() => update(book._id, { pages: 5, title: 'Edited' }));
    await at.inRun(run, () => update(book._id, { pages: 9 }));
    const [last, overwritten] = await at.planAll(run);
    expect(last).toMatchObject({ action: 'update', changes: [{ path: 'pages', from: 9, to: 5 }] });
    expect(last).not.toHaveProperty('conflict');
    expect(overwritten?.conflict).toMatchObject({
      reason: 'changed',
      change: { action: 'update', by: { kind: 'client', id: 'editor' } },
    });
    await at.revert(run);
    expect(await read(book._id)).toMatchObject({ pages: 5, title: 'Edited' });
    expect((await at.runs.get(run)).revert).toMatchObject({ written: 1, conflicts: 1 });
    const [left, ...others] = await at.planAll(run);
    expect(others).toEqual([]);
    expect(left?.conflict).toMatchObject({
      values: expect.arrayContaining([
        { path: 'pages', base: 2, theirs: 5, yours: 1 },
        { path: 'title', base: book.title, theirs: 'Edited', yours: book.title },
      ]),
    });
  });

  it('reports nothing where others have deleted what the run created', async () => {
    const run = newName();
    const book = await at.inRun(run, () => createBook());
    await at.asClient(() => at.content.delete({ id: book._id }, {}));
    expect(await at.planAll(run)).toEqual([]);
  });

  it('keeps a created asset to which others refer', async () => {
    const run = newName();
    const author = await at.inRun(run, () => createAuthor());
    const book = await at.asClient(() => createBook({ author: to(author) }));
    const [plan] = await at.planAll(run);
    expect(plan).toMatchObject({
      action: 'delete',
      conflict: { reason: 'referenced', referrers: [{ _id: book._id, _type: 'a.Book' }] },
    });
    await at.revert(run);
    expect(await read(author._id)).toEqual(author);
    await at.asClient(() => at.content.delete({ id: book._id }, {}));
    await at.revert(run);
    expect(await read(author._id)).toBeUndefined();
  });

  it('deletes created assets that refer to each other, whatever was created first', async () => {
    const run = newName();
    const [author, book] = await at.inRun(run, async () => {
      const writer = await createAuthor();
      const written = await createBook({ author: to(writer) });
      await update(writer._id, { books: [to(written)] });
      return [writer, written];
    });
    expect((await at.planAll(run)).every(({ conflict }) => !conflict)).toBe(true);
    await at.revert(run);
    expect([await read(author._id), await read(book._id)]).toEqual([undefined, undefined]);
  });

  it('keeps created assets that are referenced by way of another that stays', async () => {
    const run = newName();
    const [author, book] = await at.inRun(run, async () => {
      const writer = await createAuthor();
      return [writer, await createBook({ author: to(writer) })];
    });
    await at.asClient(() => createAuthor({ books: [to(book)] }));
    const plan = await at.planAll(run);
    expect(plan.map(({ asset, conflict }) => [asset, conflict?.reason])).toEqual([
      [book._id, 'referenced'],
      [author._id, 'referenced'],
    ]);
    await at.revert(run);
    expect([await read(author._id), await read(book._id)]).toEqual([author, book]);
  });

  it('brings back deleted assets that refer to each other, in any order', async () => {
    for (const isReversed of [false, true]) {
      const run = newName();
      const author = await createAuthor();
      const book = await createBook({ author: to(author) });
      const order = isReversed ? [author, book] : [book, author];
      await at.inRun(run, async () => {
        for (const { _id } of order) await at.content.delete({ id: _id }, {});
      });
      expect((await at.planAll(run)).every(({ conflict }) => !conflict)).toBe(true);
      await at.revert(run);
      expect(timeless(await read(book._id))).toEqual(timeless(book));
      expect(timeless(await read(author._id))).toEqual(timeless(author));
    }
  });

  it('refuses a state whose reference has no target any more, or whose unique value is taken', async () => {
    const run = newName();
    const [target, writer] = [await createAuthor(), await createAuthor()];
    const book = await createBook({ author: to(target) });
    await at.inRun(run, async () => {
      await update(book._id, { author: null });
      await update(writer._id, { name: newName('renamed') });
    });
    await at.asClient(async () => {
      await at.content.delete({ id: target._id }, {});
      await createAuthor({ name: writer.name ?? '' });
    });
    const problems = (await at.planAll(run)).map(({ conflict }) => conflict);
    expect(problems).toMatchObject([
      { reason: 'refused', problems: [{ path: 'name', message: expect.stringContaining('is in use by') }] },
      {
        reason: 'refused',
        problems: [{ path: 'author', message: expect.stringContaining('does not exist') }],
      },
    ]);
    await at.revert(run);
    expect((await at.runs.get(run)).revert).toMatchObject({ state: 'finished', written: 0, conflicts: 2 });
    expect(await read(book._id)).not.toHaveProperty('author');
  });

  it('refuses a state that breaks a rule of its type', async () => {
    const run = newName();
    const { _id } = await createBook({ pages: 1 });
    const broken = {
      kind: 'patch',
      id: _id,
      type: 'a.Book',
      set: { pages: 0 },
      unset: [],
      version: 'v1',
    } as const;
    await at.store.write([broken], {});
    await at.inRun(run, () => update(_id, { pages: 2 }));
    expect((await at.planAll(run)).map(({ conflict }) => conflict)).toMatchObject([
      { reason: 'refused', problems: [{ path: 'pages', message: 'A book has pages.' }] },
    ]);
    await at.revert(run);
    expect(await read(_id)).toMatchObject({ pages: 2 });
  });

  it('gives back a unique value that the same run had passed on', async () => {
    const run = newName();
    const writer = await createAuthor();
    const name = String(writer.name);
    await at.inRun(run, async () => {
      await update(writer._id, { name: newName('renamed') });
      await createAuthor({ name });
    });
    expect((await at.planAll(run)).every(({ conflict }) => !conflict)).toBe(true);
    await at.revert(run);
    expect(await read(writer._id)).toMatchObject({ name });
  });

  it('is a run that can be reverted itself, after which the run can be reverted once more', async () => {
    const run = newName();
    const book = await createBook({ pages: 1 });
    const added = await at.inRun(run, async () => {
      await update(book._id, { pages: 2 });
      return createBook();
    });
    await at.revert(run);
    expect(await read(book._id)).toMatchObject({ pages: 1 });
    await at.revert(`revert-${run}`);
    expect(await read(book._id)).toMatchObject({ pages: 2 });
    expect(timeless(await read(added._id))).toEqual(timeless(added));
    expect(await at.runs.get(run)).toMatchObject({ state: 'closed' });
    expect(await at.runs.get(`revert-${run}`)).toMatchObject({ state: 'reverted', revertOf: run });
    await at.revert(run);
    expect(await read(book._id)).toMatchObject({ pages: 1 });
    expect(await read(added._id)).toBeUndefined();
    expect((await at.runs.get(run)).revert).toMatchObject({ run: `revert-${run}-2`, state: 'finished' });
  });

  it('gets another name when the first choice is taken or too long', async () => {
    const run = 'r'.repeat(64);
    const taken = `revert-${run}`.slice(0, 64);
    await at.inRun(taken, () => createBook(), 'somebody');
    const book = await at.inRun(run, () => createBook());
    await at.revert(run);
    expect(await read(book._id)).toBeUndefined();
    expect((await at.runs.get(run)).revert?.run).toBe(`${taken.slice(0, 62)}-2`);
  });

  it('changes the type back where the run deleted and created anew', async () => {
    const run = newName();
    const book = await createBook();
    await at.inRun(run, async () => {
      await at.content.delete({ id: book._id }, {});
      await createAuthor({ _id: book._id });
    });
    await at.revert(run);
    expect(timeless(await read(book._id))).toEqual(timeless(book));
  });

  it('waits until the run has been quiet for a minute', async () => {
    const run = newName();
    await at.inRun(run, () => createBook());
    await expect(at.runs.start(run)).rejects.toMatchObject({ code: 'run_active' });
    expect(await at.runs.get(run)).toMatchObject({ state: 'open' });
  });

  it('runs once when it is requested twice at the same time', async () => {
    const run = newName();
    await at.inRun(run, async () => {
      for (let n = 0; n < 20; n++) await createBook();
    });
    await at.waitUntilLogged();
    at.clock.advance(60_000);
    const outcomes = await Promise.allSettled([at.runs.start(run), at.runs.start(run)]);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'run_active' },
    });
    await at.runs.wait(run);
    expect((await at.runs.get(run)).revert).toMatchObject({ state: 'finished', written: 20 });
  });

  it('answers not_found for an unknown run', async () => {
    for (const name of ['unknown', '__proto__', 'x'.repeat(1000), '']) {
      await expect(at.runs.start(name)).rejects.toMatchObject({ code: 'not_found' });
      await expect(at.runs.plan({ run: name, limit: 10 })).rejects.toMatchObject({ code: 'not_found' });
    }
  });
});
