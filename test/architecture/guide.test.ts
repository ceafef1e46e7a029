/**
 * The reference pages of the guide list exactly what the code has: settings, commands, options, error codes, operations, files.
 */
import { existsSync, globSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { variables } from '../../src/app/config/config.ts';
import { packageRoot } from '../../src/base/package-root.ts';
import { allCommands } from '../../src/cli/descriptions/all-commands.ts';
import { makeNextFrontEnd } from '../../src/cli/init/front-end.ts';
import { newProjectFiles } from '../../src/cli/init/new-project.ts';
import { Article, where } from '../../src/client/index.ts';
import {
  type OpenApiDocument,
  readAdminDocument,
  readCmaDocument,
} from '../../src/documents/openapi-document.ts';
import { filterOperators } from '../../src/graphql/filters/filter-types.ts';
import { scalarNames } from '../../src/model/content-type.ts';
import { operatorSpellings, operators } from '../../src/query/operators.ts';
import { readPage } from '../support/guide.ts';

const matchesOf = (text: string, pattern: RegExp) =>
  [...new Set([...text.matchAll(pattern)].map(([, match = '']) => match))].toSorted();

/** The operations of a document, each as its method and path. */
function requestsOf({ paths }: OpenApiDocument): { request: string; id: string }[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries<{ operationId?: string }>(Object(methods)).flatMap(([method, { operationId: id }]) =>
      id ? [{ request: `${method.toUpperCase()} ${path}`, id }] : [],
    ),
  );
}

describe('docs/configuration.md', () => {
  it('has a row for each variable of src/app/config/config.ts', () => {
    const known = Object.keys(variables).toSorted();
    expect(known.length).toBeGreaterThan(20);
    expect(matchesOf(readPage('docs/configuration.md'), /^\| `(COLOPHON_\w+)` \|/gm)).toEqual(known);
  });
});

describe('docs/command-line.md', () => {
  const page = readPage('docs/command-line.md');
  const sections = new Map(
    page.split(/^## /m).map((section) => [section.slice(0, section.indexOf('\n')), section] as const),
  );

  it('has a section for each command', () => {
    const names = allCommands.map(({ name }) => name);
    expect([...sections.keys()].slice(1).toSorted()).toEqual(names.toSorted());
  });

  it.each(allCommands.map((command) => [command.name, command] as const))(
    '%s lists its options',
    (name, { options }) => {
      const synopsis = /```text\n(.*)\n```/.exec(`${sections.get(name)}`)?.[1] ?? '';
      expect(matchesOf(synopsis, /--([\w-]+)/g)).toEqual(Object.keys(options).toSorted());
    },
  );
});

describe('docs/cma.md', () => {
  it('has a row for each operation', () => {
    const rows = matchesOf(readPage('docs/cma.md'), /^\| `([A-Z]+ \/api\/rest\/[^`]+)` \|/gm);
    const requests = requestsOf(readCmaDocument()).map(({ request }) => request.replace('{id}', '<id>'));
    expect(rows).toEqual(requests.toSorted());
  });

  it('has a row for each error code', () => {
    const codes: string[] = Object(readCmaDocument().components.schemas.ErrorCode).enum;
    const rows = matchesOf(readPage('docs/cma.md'), /^(\| \d{3} \|.*)$/gm).join('\n');
    expect(matchesOf(rows.replaceAll(/\| [^|]* \|$/gm, ''), /`(\w+)`/g)).toEqual(codes.toSorted());
  });
});

describe('docs/predicates.md', () => {
  it('lists every spelling of every operator', () => {
    const page = readPage('docs/predicates.md');
    const spellings = Object.values(operatorSpellings).flat();
    expect(spellings.filter((spelling) => !page.includes(`\`${spelling}\``))).toEqual([]);
  });
});

/** The words in backticks of the rows of the first table below a line, by column. */
function tableBelow(page: string, heading: string): (readonly [first: string[], second: string[]])[] {
  const rows = page.slice(page.indexOf(heading)).split('\n').slice(2);
  const end = rows.findIndex((row) => !row.startsWith('|'));
  const words = (cell = '') => [...cell.matchAll(/`(\w+)`/g)].map(([, word = '']) => word);
  return rows.slice(0, end).map((row) => {
    const [, first, second] = row.split('|');
    return [words(first), words(second)] as const;
  });
}

describe('docs/graphql.md', () => {
  const rows = tableBelow(readPage('docs/graphql.md'), '| Values | Members |');

  it('lists the filters of each scalar', () => {
    expect(scalarNames.filter((name) => !rows.some(([values]) => values.includes(name)))).toEqual([]);
  });

  it('lists each member that compares', () => {
    const listed = rows.flatMap(([, members]) => members);
    expect([...filterOperators.keys(), 'ignoreCase'].filter((name) => !listed.includes(name))).toEqual([]);
  });
});

describe('docs/client.md', () => {
  it('lists each operator of a field', () => {
    let known: string[] = [];
    where(Article, (article) => {
      known = Object.keys(article.slug);
      return article.slug.exists();
    });
    expect(known.length).toBeGreaterThan(operators.length);
    const rows = tableBelow(readPage('docs/client.md'), '| Field | Operators |');
    const listed = new Set(rows.flatMap(([, words]) => words));
    expect(known.filter((name) => !listed.has(name))).toEqual([]);
  });
});

describe('docs/content-types.md', () => {
  it('has a row for each scalar', () => {
    const page = readPage('docs/content-types.md');
    expect(scalarNames.filter((name) => !new RegExp(`^\\| .*\`${name}\``, 'm').test(page))).toEqual([]);
  });
});

describe('docs/admin-api.md', () => {
  it('has a row for each operation', () => {
    const operations = requestsOf(readAdminDocument()).map(
      ({ request, id }) => `${request.replace('/api/admin', '')} ${id}`,
    );
    const rows = [...readPage('docs/admin-api.md').matchAll(/^\| `([^`]+)` \| .* \| `(\w+)` \|$/gm)];
    expect(rows.map(([, request, operation]) => `${request} ${operation}`).toSorted()).toEqual(
      operations.toSorted(),
    );
  });
});

describe('a function of the client', () => {
  const functions = matchesOf(readPage('src/client/cma-client.ts'), /^ {2}([a-z]\w*)[(<]/gm);
  it('stands in the guide, in the README of the package, and in the program that its types are tested with', () => {
    expect(functions.length).toBeGreaterThan(10);
    const lacking = (page: string, start: string) =>
      functions
        .filter((name) => !readPage(page).includes(`${start}${name}(`))
        .map((name) => `${page}: ${name}`);
    expect([
      ...lacking('docs/client.md', '`'),
      ...lacking('src/codegen/client/client-readme.ts', '`'),
      ...lacking('test/contract/client/usage.ts', '.'),
    ]).toEqual([]);
  });
});

describe('the files that the documentation names', () => {
  const frontEnd = makeNextFrontEnd({ port: 4000, secret: '' });
  /** Those that the reader or `colophon init` writes. */
  const written = [
    ...newProjectFiles({ clientSecret: '', password: '', frontEnd }).keys(),
    'website/src/lib/content.ts',
    'lib/news.ts',
    'types/recipe.graphql',
    'test/unit/model/text-type.test.ts',
    ...['types', 'next', 'clean', 'taken'].map((one) => `${one}/book.graphql`),
  ];
  const pages = ['ARCHITECTURE.md', 'CONTRIBUTING.md', ...globSync('docs/**/*.md', { cwd: packageRoot })];
  it.each(pages)('exist: %s', (page) => {
    const paths = matchesOf(readPage(page), /`([a-z.][\w./-]*\/[\w./-]*\.(?:tsx?|yaml|graphql))`/g);
    const folders = ['', 'src', 'src/store', 'src/cli/init/next'];
    const exists = (path: string) => folders.some((folder) => existsSync(join(packageRoot, folder, path)));
    expect(paths.filter((path) => !exists(path) && !written.includes(path))).toEqual([]);
  });
});

describe('links between pages', () => {
  const pages = [
    'README.md',
    'ARCHITECTURE.md',
    'CONTRIBUTING.md',
    ...globSync('docs/**/*.md', { cwd: packageRoot }),
  ];

  it.each(pages)('of %s lead to pages and headings that there are', (page) => {
    const links = [...readPage(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
    const broken = links.filter((link) => {
      if (/^(https?|mailto):/.test(link)) return false;
      const [path, anchor] = link.split('#');
      const target = path ? join(dirname(page), path) : page;
      if (!existsSync(join(packageRoot, target))) return true;
      return anchor !== undefined && target.endsWith('.md') && !anchorsOf(readPage(target)).has(anchor);
    });
    expect(broken).toEqual([]);
  });
});

describe('commands for a checkout', () => {
  it.each(globSync('docs/**/*.md', { cwd: packageRoot }))(
    'of %s name folders of types that it has',
    (page) => {
      const folders = matchesOf(readPage(page), /npm run (?:--silent )?colophon -- .*--types ([\w./-]+)/g);
      // The reader makes the folder `types`.
      const missing = folders.filter(
        (folder) => folder !== 'types' && !existsSync(join(packageRoot, folder)),
      );
      expect(missing).toEqual([]);
    },
  );
});

/** Returns the anchors of the headings of a page, as VitePress makes them, for headings that occur once. */
function anchorsOf(page: string): ReadonlySet<string> {
  const prose = page.replace(/^```.*?^```/gms, '');
  return new Set(
    [...prose.matchAll(/^#+ +(.*)$/gm)].map(([, title = '']) =>
      title
        .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .replace(/[\s\p{P}\p{S}]+/gu, '-')
        .replace(/^-+|-+$/g, '')
        .replace(/^(?=\d)/, '_')
        .toLowerCase(),
    ),
  );
}
