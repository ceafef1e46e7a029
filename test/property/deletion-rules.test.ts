/**
 * Random graphs of references with `@onDelete(action: RESTRICT)`: single writes, batches, checks of both, releases, withdrawals and reverts of
 * runs do what a small model in memory does, and never leave a reference that leads nowhere.
 */
import { expect, it } from 'vitest';
import { isDomainError } from '../../src/base/errors.ts';
import type { BatchOperation } from '../../src/content/batch/batch.ts';
import type { JsonObject } from '../../src/model/content-type.ts';
import { isLong } from '../support/rounds.ts';
import { openRuns, type RunsUnderTest } from '../support/runs.ts';
import { createSeededRandom, type SeededRandom } from '../support/seeded-random.ts';
import { describeOnEachStore } from '../support/stores.ts';
import { catalogOf } from '../support/types.ts';

const catalog = catalogOf(`
  type Article @contentType(class: "graph.Article") {
    name: String
    author: Author @indexed @onDelete(action: RESTRICT)
    authors: [Author!] @indexed @onDelete(action: RESTRICT)
    next: Article @indexed @onDelete(action: RESTRICT)
  }
  type Author @contentType(class: "graph.Author") { name: String }
`);

type Kind = 'Article' | 'Author';
interface Node {
  readonly kind: Kind;
  readonly author?: number;
  readonly authors?: readonly number[];
  readonly next?: number;
}
type Graph = ReadonlyMap<number, Node>;
type Step =
  | { readonly action: 'create' | 'update'; readonly n: number; readonly node: Node }
  | { readonly action: 'delete'; readonly n: number };

const everyone = {};
const idOf = (n: number) => `0191f3a0-5b7e-7c11-9d2e-${String(n).padStart(12, '0')}`;
const refersTo = ({ author, authors = [], next }: Node) =>
  [author, ...authors, next].filter((n) => n !== undefined);
const isReferred = (graph: Graph, n: number) =>
  [...graph].some(([other, node]) => other !== n && refersTo(node).includes(n));
const isWhole = (graph: Graph) =>
  [...graph.values()].every((node) => refersTo(node).every((target) => graph.has(target)));

/** Returns the graph after a step, whose references are not judged, or why the step has no asset to work on. */
function apply(graph: Graph, step: Step): Graph | 'id_in_use' | 'not_found' {
  const after = new Map(graph);
  if (step.action === 'create' ? graph.has(step.n) : !graph.has(step.n))
    return step.action === 'create' ? 'id_in_use' : 'not_found';
  if (step.action === 'delete') after.delete(step.n);
  else after.set(step.n, step.node);
  return after;
}

/**
 * Returns the graph after all steps together, or nothing where they are refused. The references that a step adds must lead somewhere before
 * it or in the end, also those that a later step takes out.
 */
function applyTogether(graph: Graph, steps: readonly Step[]): Graph | undefined {
  let after = graph;
  const missing: number[] = [];
  for (const step of steps) {
    const former = after.get(step.n);
    const next = apply(after, step);
    if (typeof next === 'string') return undefined;
    if (step.action !== 'delete') {
      const kept = former ? refersTo(former) : [];
      const isMissing = (target: number) => !after.has(target) && target !== step.n && !kept.includes(target);
      missing.push(...refersTo(step.node).filter(isMissing));
    }
    after = next;
  }
  return isWhole(after) && missing.every((target) => after.has(target)) ? after : undefined;
}

/** Returns the graph after a step by itself, or the code of its error. */
function applyAlone(graph: Graph, step: Step): Graph | string {
  if (step.action === 'delete' && isReferred(graph, step.n)) return 'referenced';
  const after = apply(graph, step);
  if (typeof after !== 'string' && isWhole(after)) return after;
  return step.action === 'create' && after !== 'id_in_use'
    ? 'invalid_body'
    : typeof after === 'string'
      ? after
      : 'invalid_body';
}

const toAsset = (n: number, { kind, author, authors, next }: Node): JsonObject => ({
  _id: idOf(n),
  _type: `graph.${kind}`,
  ...(author !== undefined && { author: { _ref: idOf(author), _type: 'graph.Author' } }),
  ...(authors && { authors: authors.map((one) => ({ _ref: idOf(one), _type: 'graph.Author' })) }),
  ...(next !== undefined && { next: { _ref: idOf(next), _type: 'graph.Article' } }),
});

/** The body that makes an article what it is to be; a field that it lacks is cleared. */
const toChanges = (n: number, node: Node): JsonObject => {
  const { _id, _type, ...fields } = toAsset(n, node);
  return node.kind === 'Author'
    ? { name: `author ${n}` }
    : { author: null, authors: null, next: null, ...fields };
};

const toOperation = (step: Step): BatchOperation => {
  if (step.action === 'delete') return { action: 'delete', id: idOf(step.n) };
  if (step.action === 'create') return { action: 'create', asset: toAsset(step.n, step.node) };
  return {
    action: 'update',
    by: '_id',
    asset: { _id: idOf(step.n), _type: `graph.${step.node.kind}`, ...toChanges(step.n, step.node) },
  };
};

/** Chooses steps on a graph, some of which cannot be carried out. */
function createChooser(random: SeededRandom) {
  let last = 0;
  const oneOf = <Item>(items: readonly Item[]): Item | undefined => items[random.below(items.length)];
  const ofKind = (graph: Graph, kind: Kind) =>
    [...graph].flatMap(([n, node]) => (node.kind === kind ? [n] : []));

  function choosePlace(graph: Graph, { isTree }: { isTree: boolean }): Node {
    // Some name an asset that there is not, or not yet.
    const author = random.next() < 0.08 ? last + 1_000 : oneOf(ofKind(graph, 'Author'));
    const authors = Array.from({ length: random.below(3) }, () => oneOf(ofKind(graph, 'Author')));
    const next = isTree || random.next() < 0.5 ? undefined : oneOf(ofKind(graph, 'Article'));
    return {
      kind: 'Article',
      ...(author !== undefined && random.next() < 0.6 && { author }),
      authors: authors.filter((one) => one !== undefined),
      ...(next !== undefined && { next }),
    };
  }

  function choose(graph: Graph, place = { isTree: false }): Step {
    const n = oneOf([...graph.keys()]);
    const action =
      graph.size < 4 ? 'create' : random.choose({ create: 3, update: 3, delete: graph.size > 12 ? 8 : 4 });
    if (action === 'create' || n === undefined) {
      const node: Node = random.next() < 0.4 ? { kind: 'Author' } : choosePlace(graph, place);
      return { action: 'create', n: ++last, node };
    }
    if (action === 'delete') return { action, n };
    return {
      action,
      n,
      node: graph.get(n)?.kind === 'Author' ? { kind: 'Author' } : choosePlace(graph, place),
    };
  }

  /** Chooses steps that follow each other, whether or not they can be carried out. */
  function chooseSome(graph: Graph, count: number, place?: { isTree: boolean }): Step[] {
    const steps: Step[] = [];
    for (let after = graph; steps.length < count; ) {
      const step = choose(after, place);
      const next = apply(after, step);
      if (typeof next !== 'string') after = next;
      steps.push(step);
    }
    return steps;
  }
  return { choose, chooseSome, oneOf };
}

const codeOf = async (work: Promise<unknown>): Promise<string> => {
  try {
    await work;
    return 'done';
  } catch (error) {
    if (isDomainError(error)) return error.code;
    throw error;
  }
};

const carryOut = (content: Pick<RunsUnderTest['content'], 'create' | 'update' | 'delete'>, step: Step) => {
  if (step.action === 'delete') return codeOf(content.delete({ id: idOf(step.n) }, everyone));
  if (step.action === 'create') return codeOf(content.create(toAsset(step.n, step.node), everyone));
  return codeOf(content.update({ id: idOf(step.n), body: toChanges(step.n, step.node) }, everyone));
};

describeOnEachStore('rules of deletion', (locations) => {
  const seeds = isLong ? [1, 2, 3, 4] : [1, 2];
  it.each(seeds)('do what a model does, with the seed %i', { timeout: 600_000 }, async (seed) => {
    const random = createSeededRandom(seed);
    const { choose, chooseSome, oneOf } = createChooser(random);
    const under = await openRuns(locations(), catalog);
    const { content, store } = under;
    let graph: Graph = new Map();
    const kinds = { single: 4, batch: 4, atomic: 5, release: 3, run: 2, withdrawal: 2 };

    /** Carries steps out in a batch, after a check of it that must say the same. Returns the codes. */
    async function batch(steps: readonly Step[], atomic: boolean): Promise<readonly string[]> {
      const request = { operations: steps.map(toOperation), atomic, references: 'checked' } as const;
      const codes = (outcomes: Awaited<ReturnType<typeof content.batch>>) =>
        outcomes.map((outcome) => (outcome.kind === 'refused' ? outcome.error.code : 'done'));
      const checked = await content
        .trial(everyone)
        .batch(request, everyone)
        .then(codes, (error) => [error.code]);
      const written = await content.batch(request, everyone).then(codes, (error) => [error.code]);
      expect([steps, checked]).toEqual([steps, written]);
      return written;
    }

    const moves: Record<keyof typeof kinds, (n: number) => Promise<void>> = {
      async single() {
        const step = choose(graph);
        const after = applyAlone(graph, step);
        expect([step, await carryOut(content, step)]).toEqual([
          step,
          typeof after === 'string' ? after : 'done',
        ]);
        if (typeof after !== 'string') graph = after;
      },
      async batch() {
        const steps = chooseSome(graph, 2 + random.below(5));
        const expected: string[] = [];
        for (const step of steps) {
          const after = applyAlone(graph, step);
          expected.push(typeof after === 'string' ? after : 'done');
          if (typeof after !== 'string') graph = after;
        }
        expect([steps, await batch(steps, false)]).toEqual([steps, expected]);
      },
      async atomic() {
        const steps = chooseSome(graph, 2 + random.below(5));
        const end = applyTogether(graph, steps);
        const codes = await batch(steps, true);
        expect([steps, codes.every((code) => code === 'done')]).toEqual([steps, end !== undefined]);
        if (end) graph = end;
      },
      async release(n) {
        const release = `release-${n}`;
        await content.releases.create({ name: release });
        const drafts = content.inRelease(release, everyone);
        let end = graph;
        for (const step of chooseSome(graph, 1 + random.below(5))) {
          const after = apply(end, step);
          if (typeof after === 'string') continue;
          expect(await carryOut(drafts, step)).toBe('done');
          end = after;
        }
        const { findings } = await content.releases.check({ release });
        expect([...end, findings.length === 0]).toEqual([...end, isWhole(end)]);
        const published = await codeOf(content.releases.publish({ release }));
        expect(published).toBe(isWhole(end) ? 'done' : 'publication_refused');
        if (isWhole(end)) graph = end;
      },
      async run(n) {
        const run = `run-${n}`;
        await under.inRun(run, async () => {
          // Without cycles, whose assets can only go together.
          let end = graph;
          for (const step of chooseSome(graph, 1 + random.below(5), { isTree: true })) {
            const after = applyAlone(end, step);
            expect(await carryOut(content, step)).toBe(typeof after === 'string' ? after : 'done');
            if (typeof after !== 'string') end = after;
          }
          if (end === graph) await content.create(toAsset(900_000 + n, { kind: 'Author' }), everyone);
        });
        await under.revert(run);
      },
      async withdrawal() {
        const n = oneOf([...graph.keys()]);
        if (n === undefined) return;
        const code = await codeOf(content.releases.withdraw({ id: idOf(n) }, everyone));
        expect(code).toBe(isReferred(graph, n) ? 'referenced' : 'done');
        const after = apply(graph, { action: 'delete', n });
        if (code === 'done' && typeof after !== 'string') graph = after;
      },
    };

    for (let n = 0; n < (isLong ? 100 : 60); n++) {
      const move = random.choose(kinds);
      await moves[move](n);
      const { items } = await store.find({
        types: [...catalog.types.keys()],
        offset: 0,
        limit: 1_000,
        withCount: false,
      });
      const shown = ({ _id, _type, author, authors, next }: JsonObject) =>
        JSON.stringify({ _id, _type, author, authors: authors ?? [], next });
      const expected = [...graph].map(([id, node]) => shown({ authors: [], ...toAsset(id, node) })).sort();
      expect([move, items.map(({ asset }) => shown(asset)).sort()]).toEqual([move, expected]);
    }
    await under.close();
  });
});
