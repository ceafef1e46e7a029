/**
 * Names that a variable cannot have, because they have another meaning in requests.
 */

/** Tests whether a name is a credential in query strings, in upper or lower case, or is reserved by GraphQL. */
export function isReservedVariableName(name: string): boolean {
  return /^(apiKey|clientId|clientSecret)$/i.test(name) || name.startsWith('__');
}
