/**
 * Names that a variable cannot have, because a request says something else with them.
 */

/** Whether a name, in any case, is one of a credential in a query string, or is kept by GraphQL for itself. */
export function isReservedVariableName(name: string): boolean {
  return /^(apiKey|clientId|clientSecret)$/i.test(name) || name.startsWith('__');
}
