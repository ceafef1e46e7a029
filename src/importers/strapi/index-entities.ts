/**
 * What of an export of Strapi must be known before its entities are converted: their `_id`s, and which drafts are as what is published.
 */
import { createHash } from 'node:crypto';
import { idOf } from '../ids.ts';
import type { JsonObject } from '../reader.ts';
import type { StrapiLink, StrapiLinkEnd, StrapiSource } from './strapi-source.ts';
import { internalAttributes, type StrapiTypes, uploadType } from './strapi-types.ts';

/** What is known of an entity. */
export interface IndexedEntity {
  readonly id: string;
  readonly isDraft: boolean;
  /** Whether the same document is published with the same values. */
  readonly isSame: boolean;
}

/** Identifies an entity or a component. */
export const keyOf = (type: string, id: number | string) => `${type} ${id}`;

/** Indexes the entities of content types and the uploads. */
export async function indexEntities(
  source: StrapiSource,
  types: StrapiTypes,
): Promise<ReadonlyMap<string, IndexedEntity>> {
  const rows: { key: string; document: string; isDraft: boolean; values: string; type: string }[] = [];
  for await (const { type, id, data } of source.entities()) {
    if (!types.byUid.has(type)) continue;
    const document = `${data.documentId ?? id} ${data.locale ?? ''}`.trim();
    const isDraft = type !== uploadType && 'publishedAt' in data && data.publishedAt === null;
    rows.push({ key: keyOf(type, id), type, document, isDraft, values: hashValues(data) });
  }
  const documents = new Map(rows.map(({ key, type, document }) => [key, `${type} ${document}`]));
  const related = new Map<string, { field: string; place: number; target: string }[]>();
  for await (const link of source.links()) {
    const { owner, target } = endsOf(link);
    const key = keyOf(owner.type, owner.ref);
    if (!documents.has(key) || internalAttributes.has(owner.field ?? '')) continue;
    const list = related.get(key) ?? [];
    related.set(key, list);
    const { field = '', pos } = owner;
    list.push({
      field,
      place: pos ?? list.length,
      target: documents.get(keyOf(target.type, target.ref)) ?? '',
    });
  }
  const valuesOf = ({ key, values }: { key: string; values: string }) =>
    [
      values,
      ...(related.get(key) ?? [])
        .sort((one, other) => one.field.localeCompare(other.field) || one.place - other.place)
        .map(({ field, target }) => `${field} ${target}`),
    ].join();
  const published = new Map(
    rows.filter(({ isDraft }) => !isDraft).map((row) => [`${row.type} ${row.document}`, valuesOf(row)]),
  );
  return new Map(
    rows.map((row) => {
      const { key, type, document, isDraft } = row;
      const beside = isDraft ? published.get(`${type} ${document}`) : undefined;
      const isSame = beside === valuesOf(row);
      const id = idOf('strapi', beside !== undefined && !isSame ? `draft ${type}` : type, document);
      return [key, { id, isDraft, isSame }];
    }),
  );
}

/** A hash of what editors have written. */
function hashValues(data: JsonObject): string {
  const written = Object.entries(data).filter(([name]) => !internalAttributes.has(name) && name !== 'id');
  const withoutIds = JSON.stringify(written, (name, value) => (name === 'id' ? undefined : value));
  return createHash('sha256').update(withoutIds).digest('base64url').slice(0, 16);
}

/** The end that has the field, and the one that it refers to. Of media, the file refers to what shows it. */
export const endsOf = ({ kind, left, right }: StrapiLink): { owner: StrapiLinkEnd; target: StrapiLinkEnd } =>
  kind === 'relation.morph' ? { owner: right, target: left } : { owner: left, target: right };
