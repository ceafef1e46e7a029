/**
 * What counts as a UUID: the form, in either case. Version and variant are not looked at, for content comes with identifiers of
 * many systems.
 */

/** Whether a text has the form of a UUID. */
export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}
