/**
 * Colophon's own records, written as content types like everybody's: they are validated, stored and versioned by the same
 * parts. They form a catalog of their own, which the CMA and the GraphQL endpoints do not see.
 */
import { badTypes } from '../base/errors.ts';
import type { Catalog, ContentType } from '../model/content-type.ts';
import { createCatalog, loadTypes } from '../model/load-types.ts';
import { readSuppliedSources } from '../model/type-sources.ts';

const systemPrefix = 'com.colophon.system.';

const systemTypes = /* GraphQL */ `
  "A program that may use the APIs."
  type ApiClient @contentType(class: "com.colophon.system.ApiClient") {
    name: String! @constraint(minLength: 1, maxLength: 100)
    clientId: String! @indexed(unique: true) @constraint(pattern: "^[\\\\x21-\\\\x7e]+$", maxLength: 100)
    "SHA-256 of the secret, in hexadecimal."
    secretHash: String!
    scopes: [String!]!
    "The sites whose assets alone it may see and write; absent means all assets."
    sites: [Site!] @constraint(minItems: 1)
    "When it was revoked; absent means it may come in."
    revokedAt: EpochMillis
  }
`;

/** The catalog of Colophon's own records and of what every catalog has, such as `Site`, to which they refer. */
export function loadSystemTypes(): Catalog {
  return loadTypes([...readSuppliedSources(), { file: 'system.graphql', text: systemTypes }]);
}

/**
 * The catalog a store is opened with: Colophon's own records, and what users write when that is given.
 *
 * Opened without the latter, a store keeps away from it: `Site` is the user's as well, who may have given it other fields.
 * Errors: bad_types when a user's type has a class name under `com.colophon.system`.
 */
export function storedCatalog(system: Catalog, content?: Catalog): Catalog {
  const written = content ? allTypes(content) : [];
  const intruder = written.find(isRecord);
  if (intruder) {
    const message = `class name ${intruder.class}: ${systemPrefix}* belongs to Colophon`;
    throw badTypes([{ file: 'graphql', line: 1, column: 1, message }]);
  }
  return createCatalog([...written, ...allTypes(system).filter(isRecord)]);
}

const allTypes = ({ types, interfaces }: Catalog) => [...types.values(), ...interfaces.values()];

const isRecord = (type: ContentType) => type.class.startsWith(systemPrefix);
