/**
 * Names that a variable cannot have, because they have another meaning in requests.
 */

/** Tests whether a name is a credential in query strings, in upper or lower case, or is reserved by GraphQL. */
export function isReservedVariableName(name: string): boolean {
  return /^(apiKey|clientId|clientSecret)$/i.test(name) || name.startsWith('__');
}

/** Tests whether a name says which release a request reads; reserved where an endpoint serves releases. */
export const isReleaseParameter = (name: string): boolean => name === 'release' || name === 'preview';
