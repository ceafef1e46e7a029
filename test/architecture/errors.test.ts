/** The closed list of error codes, against what is documented of it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { DomainError, type ErrorCode } from '../../src/base/errors.ts';
import { readAdminDocument, readCmaDocument } from '../../src/documents/openapi-document.ts';
import { statusOf } from '../../src/http/error-map.ts';

const file = join(import.meta.dirname, '../../src/base/domain-error.ts');
const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);

/** What callers meet in the answers of GraphQL alone. */
const ofGraphqlOnly = ['limit_exceeded', 'answer_too_large'];

/** What stands for 503 and 500 within a batch; elsewhere callers are told no code of a failure. */
const ofBatchesOnly = ['store_busy', 'store_failure'];

describe('an error code', () => {
  const codes = source.statements
    .filter(ts.isInterfaceDeclaration)
    .filter(({ name }) => name.text === 'ErrorDetails')
    // The members of this interface are the codes, which the compiler knows and a test has to read.
    .flatMap(({ members }) => members.map((member) => member.name?.getText() as ErrorCode));

  it('is documented if a caller can meet it, and a caller can meet what is documented', () => {
    const met = codes.filter((code) => statusOf(new DomainError(code, '', Object())) < 500);
    expect(met.length).toBeGreaterThan(10);
    const documented = [readCmaDocument(), readAdminDocument()].flatMap(
      ({ components }) => Object(components.schemas.ErrorCode).enum,
    );
    expect([...met, ...ofBatchesOnly].toSorted()).toEqual(
      [...new Set([...documented, ...ofGraphqlOnly])].toSorted(),
    );
  });

  it('is built by one function', () => {
    const builders = readFileSync(join(import.meta.dirname, '../../src/base/errors.ts'), 'utf8');
    const built = [...builders.matchAll(/new DomainError\(\s*'(\w+)'/g)].map(([, code]) => code);
    expect(built.toSorted()).toEqual(codes.toSorted());
  });
});
