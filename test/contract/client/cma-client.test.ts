/** The client that users install, against a listening instance: each store gives the same answers. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CmaClient } from '../../../generated/client/lib/index.js';
import { operatorSpellings } from '../../../src/query/operators.ts';
import { startInstance, type TestInstance } from '../../support/instance.ts';
import { describeOnEachStore, type StorePlace } from '../../support/stores.ts';
import { type InstalledClient, installClient } from './installed-client.ts';
import { createNewspaper, type Names } from './newspaper.ts';
import { predicateAnswers } from './predicate-answers.ts';

const article = 'com.example.news.Article';
const author = 'com.example.news.Author';

let installed: InstalledClient;
beforeAll(async () => {
  installed = await installClient();
});
afterAll(() => installed.remove());

it('the package is what was installed, not what lies in the repository', () => {
  expect(installed.file).toMatch(/\/project\/node_modules\/colophon-client\/lib\/index\.js$/);
});

describeOnEachStore('the installed client', (places) => {
  let place: StorePlace;
  let instance: TestInstance;
  let cma: CmaClient;

  beforeAll(async () => {
    place = places();
    instance = await startInstance(place);
    cma = connect(instance.headers['X-Client-Secret']);
  });
  afterAll(async () => {
    await instance.stop();
    await place.remove();
  });

  const connect = (clientSecret: string) =>
    installed.createClient({
      baseUrl: instance.url,
      clientId: instance.headers['X-Client-Id'],
      clientSecret,
    });

  it('creates, reads, changes, finds and deletes', async () => {
    const transcript = createTranscript();
    const { tell } = transcript;
    const ada = { _type: author, slug: 'ada', name: 'Ada', email: 'ada@example.org' } as const;
    const created = await tell('create an author', cma.createAsset({ body: ada }));
    const id = created.data?.result._id ?? '';
    const path = { id };
    transcript.name('ada', id);
    const first = { 'If-Match': created.response?.headers.get('ETag') ?? '' };
    await tell('create it again', cma.createAsset({ body: { ...ada, _id: id } }));
    await tell('create its twin', cma.createAsset({ body: ada }));
    const story = { _type: article, slug: 'story', headline: 'Ü', status: 'DRAFT', tags: [] } as const;
    const written = await tell(
      'create an article by it',
      cma.createAsset({ body: { ...story, author: { _ref: id, _type: author }, score: 0.1 } }),
    );
    transcript.name('story', written.data?.result._id ?? '');
    await tell('read it', cma.getAsset({ path }));
    await tell('change it', cma.updateAsset({ path, body: { name: 'Ada B.', email: null } }));
    await tell('change what was changed', cma.updateAsset({ path, body: { name: 'x' }, headers: first }));
    await tell('clear what is required', cma.updateAsset({ path, body: { ...ada, slug: '-', name: '' } }));
    const byAda = { from: article, where: 'author/name = ?', values: ['Ada B.'] };
    await tell('find articles by it', cma.queryAssets({ query: byAda }));
    await tell('count them', cma.queryAssets({ query: { ...byAda, limit: 0 } }));
    await tell('skip them', cma.queryAssets({ query: { ...byAda, offset: 1 } }));
    await tell('find with too few values', cma.queryAssets({ query: { ...byAda, values: [] } }));
    await tell('find by nonsense', cma.queryAssets({ query: { from: article, where: 'score = high' } }));
    await tell('delete what was changed', cma.deleteAsset({ path, headers: first }));
    await tell('delete it', cma.deleteAsset({ path }));
    await tell('read it', cma.getAsset({ path }));
    await tell('read the article', cma.getAsset({ path: { id: written.data?.result._id ?? '' } }));
    await tell('read as a stranger', connect('wrong').getAsset({ path }));
    expect(transcript.lines).toEqual([
      'create an author: 200 {"_id":"<ada>","_type":"com.example.news.Author","slug":"ada","name":"Ada",' +
        '"email":"ada@example.org","cms.content.publishDate":<time>,"cms.content.updateDate":<time>}',
    ]);
  });

  describe('finds by', () => {
    let names: Names;
    beforeAll(async () => {
      const rest = await cma.queryAssets({ query: { from: 'com.example.news.Page' }, throwOnError: true });
      for (const { _id: id } of rest.data.result.items)
        await cma.deleteAsset({ path: { id }, throwOnError: true });
      names = await createNewspaper(cma);
    });

    describe.each(Object.entries(predicateAnswers))('%s:', (_group, answers) => {
      it.each(answers)('$where', async ({ from = article, where, values = [], finds }) => {
        const query = { from, where: names.fill(where), values: values.map(names.fill) };
        const { data, error } = await cma.queryAssets({ query });
        expect([error, names.namesOf(data?.result.items ?? []), data?.result.count]).toEqual([
          undefined,
          finds,
          finds.length,
        ]);
      });
    });
  });
});

it('the predicates above have every operator in every spelling', () => {
  const words = new Set(
    Object.values(predicateAnswers)
      .flat()
      .flatMap(({ where }) => where.split(/[\s[\]]+/)),
  );
  const unused = Object.values(operatorSpellings)
    .flat()
    .filter((spelling) => !words.has(spelling));
  expect(unused).toEqual([]);
});

/** What an answer of the client has that a transcript tells. */
interface Told {
  readonly data?: { readonly result: unknown } | undefined;
  readonly error?: unknown;
  readonly response?: Response | undefined;
}

/** A line for each call, in which IDs have names and the times that the server chose are `<time>`. */
function createTranscript() {
  const lines: string[] = [];
  const names = new Map<string, string>();
  return {
    lines,
    name: (name: string, id: string) => {
      names.set(id, name);
      lines.push(hide(lines.pop() ?? '', names));
    },
    async tell<Answer extends Told>(what: string, pending: Promise<Answer>): Promise<Answer> {
      const answer = await pending;
      const said = answer.data ? answer.data.result : answer.error;
      lines.push(hide(`${what}: ${answer.response?.status} ${JSON.stringify(said)}`, names));
      return answer;
    },
  };
}

function hide(line: string, names: ReadonlyMap<string, string>): string {
  const named = [...names].reduce((text, [id, name]) => text.replaceAll(id, `<${name}>`), line);
  return named.replace(/("cms\.content\.\w+Date"):\d+/g, '$1:<time>');
}
