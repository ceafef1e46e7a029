/** The responses of GraphQL endpoints and the log while the database file is locked or broken. */
import type { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ServingProcess } from '../../../support/command-line.ts';
import { credentials, type SharedDatabase, startOnSharedDatabase } from '../../../support/sqlite-server.ts';
import { asGraphql, asJson, noAsset } from './graphql-context.ts';

let database: SharedDatabase;
let serving: ServingProcess;
let other: DatabaseSync;

beforeEach(async () => {
  database = await startOnSharedDatabase();
  ({ serving, other } = database);
});
afterEach(() => database.remove());

async function ask(query: string, headers: Readonly<Record<string, string>> = asJson) {
  const response = await fetch(`${serving.url}/graphql/management`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      ...credentials,
      ...headers,
    },
    body: JSON.stringify({ query }),
  });
  const text = await response.text();
  const received = Object.fromEntries(response.headers);
  return { status: response.status, headers: received, text, body: JSON.parse(text) };
}

const creation = (name: string) => `mutation { createText(input: {name: "${name}"}) { name } }`;

describe('while another program holds the write lock', () => {
  it('a mutation is answered with Retry-After, and queries are answered', async () => {
    other.exec('BEGIN IMMEDIATE');
    const writing = ask(creation('locked out'));
    expect((await ask('{ textList { count } }')).body).toEqual({ data: { textList: { count: 0 } } });
    const { status, headers, body } = await writing;
    expect([headers['retry-after'], headers['cache-control']]).toEqual(['1', 'no-store']);
    expect([status, body]).toEqual([
      503,
      {
        errors: [
          {
            message: 'The service is busy; try again',
            locations: [{ line: 1, column: 12 }],
            path: ['createText'],
            extensions: { code: 'store_busy', http: { status: 503 } },
          },
        ],
      },
    ]);
    other.exec('ROLLBACK');
    expect((await ask(creation('after'))).body.data).toEqual({ createText: { name: 'after' } });
    expect((await ask('{ textList { items { name } } }')).body).toEqual({
      data: { textList: { items: [{ name: 'after' }] } },
    });
  });
});

describe('when the table of assets is missing', () => {
  const documents: [name: string, query: string][] = [
    ['getting', `{ a: __typename text(_id: "${noAsset}") { name } }`],
    ['listing', '{ textList(where: "name = secret") { count items { name } } }'],
    ['creating', creation('secret')],
    ['updating', `mutation { updateText(_id: "${noAsset}", input: {name: "secret"}) { name } }`],
    ['deleting', `mutation { deleteText(_id: "${noAsset}") }`],
  ];

  it('every operation answers without details, and the log has the cause and the request ID', async () => {
    other.exec('DROP TABLE assets');
    for (const [requestId, query] of documents) {
      for (const accept of [asJson, asGraphql]) {
        const { status, text, body } = await ask(query, { ...accept, 'X-Request-Id': requestId });
        expect([requestId, status, 'data' in body]).toEqual([requestId, 500, false]);
        for (const { message, extensions } of body.errors) {
          expect(message).toBe('The service failed; its log says why');
          expect(extensions).toEqual({ code: 'internal', http: { status: 500 } });
        }
        expect(text).not.toMatch(/no such table|sqlite|store|stack|secret|\.[jt]s/i);
      }
    }
    expect((await ask('{ a: __typename }')).body).toEqual({ data: { a: 'Query' } });
    const { stderr } = await serving.stop();
    const lines = stderr
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const failures = lines.filter(({ msg }) => msg === 'resolver failed');
    expect([...new Set(failures.map(({ requestId }) => requestId))]).toEqual(documents.map(([name]) => name));
    for (const { err } of failures) {
      expect(err).toMatchObject({ code: 'store_failure' });
      expect(err.stack).toContain('no such table: assets');
    }
    expect(stderr).not.toContain('tested');
  });
});
