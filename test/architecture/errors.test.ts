/** The closed list of error codes and its documentation agree. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { DomainError, type ErrorCode } from '../../src/base/errors.ts';
import { readAdminDocument, readCmaDocument } from '../../src/documents/openapi-document.ts';
import { isFailure } from '../../src/http/error-map.ts';

const file = join(import.meta.dirname, '../../src/base/domain-error.ts');
const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);

/** Codes that occur only in GraphQL answers. */
const ofGraphqlOnly = ['limit_exceeded', 'answer_too_large'];

/** Codes for 503 and 500 inside batch results. Elsewhere answers to failures have no code. */
const ofBatchesOnly = ['store_busy', 'store_failure'];

describe('an error code', () => {
  const codes = source.statements
    .filter(ts.isInterfaceDeclaration)
    .filter(({ name }) => name.text === 'ErrorDetails')
    // The codes are the members of this interface, a type, so the test reads them from the source.
    .flatMap(({ members }) => members.map((member) => member.name?.getText() as ErrorCode));

  it('is documented exactly when a response can contain it', () => {
    const reachable = codes.filter((code) => !isFailure(new DomainError(code, '', Object())));
    expect(reachable.length).toBeGreaterThan(10);
    const documented = [readCmaDocument(), readAdminDocument()].flatMap(
      ({ components }) => Object(components.schemas.ErrorCode).enum,
    );
    expect([...reachable, ...ofBatchesOnly].toSorted()).toEqual(
      [...new Set([...documented, ...ofGraphqlOnly])].toSorted(),
    );
  });

  it('is built by one function', () => {
    const builders = ['errors.ts', 'store-errors.ts']
      .map((file) => readFileSync(join(import.meta.dirname, '../../src/base', file), 'utf8'))
      .join('\n');
    const built = [...builders.matchAll(/new DomainError\(\s*'(\w+)'/g)].map(([, code]) => code);
    expect(built.toSorted()).toEqual(codes.toSorted());
  });
});
