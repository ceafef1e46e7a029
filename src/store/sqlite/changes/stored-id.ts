/**
 * The `_id` of an asset as the change log stores it: the 16 bytes of a UUID; any other text as it is.
 */

const canonicalUuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Converts an `_id` to the value of the column `asset`. */
export const toStoredId = (id: string): Uint8Array | string =>
  canonicalUuid.test(id) ? Buffer.from(id.replaceAll('-', ''), 'hex') : id;

/** An SQL expression for the column `asset` as a text, which `fromStoredId` reads. */
export const storedIdText = "iif(typeof(asset) = 'blob', 'u' || lower(hex(asset)), 't' || asset)";

/** Converts the value of `storedIdText` to the `_id`. */
export function fromStoredId(text: string): string {
  const value = text.slice(1);
  return text.startsWith('u') ? value.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5') : value;
}
