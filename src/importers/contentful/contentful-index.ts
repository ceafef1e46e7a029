/**
 * What of an export of Contentful must be known before its entries are converted: content types, locales, and which entries there are.
 */
import { readJsonParts } from '../json/split-json.ts';
import type { JsonObject } from '../reader.ts';
import { fileOf, type Source, SourceError } from '../source/source.ts';

/** A field of a content type. */
export interface ContentfulField {
  readonly id: string;
  readonly name?: string;
  readonly type: string;
  readonly linkType?: string;
  readonly localized?: boolean;
  readonly required?: boolean;
  readonly validations?: readonly JsonObject[];
  readonly items?: {
    readonly type: string;
    readonly linkType?: string;
    readonly validations?: readonly JsonObject[];
  };
}

/** A content type. */
export interface ContentfulType {
  readonly sys: { readonly id: string };
  readonly name: string;
  readonly description?: string;
  readonly displayField?: string;
  readonly fields: readonly ContentfulField[];
}

export type Localized = { readonly [locale: string]: unknown };

/** An entry or an asset. */
export interface ContentfulItem {
  readonly sys: {
    readonly id: string;
    readonly contentType?: { readonly sys: { readonly id: string } };
    readonly version?: number;
    readonly publishedVersion?: number;
    readonly archivedVersion?: number;
    readonly firstPublishedAt?: string;
    readonly publishedAt?: string;
    readonly updatedAt?: string;
  };
  readonly metadata?: { readonly tags?: readonly { readonly sys: { readonly id: string } }[] };
  readonly fields: { readonly [field: string]: Localized };
}

/** What was seen of a field in all entries of its type. */
export interface FieldUse {
  /** How many entries have a value. */
  count: number;
  areDays: boolean;
  areTimes: boolean;
  areInts: boolean;
  /** The different texts, unless there are too many for a list of values. */
  texts: Set<string> | undefined;
}

/** The most texts that are compared with a list of values. */
const maxTexts = 500;

/** The index of an export. */
export type ContentfulIndex = Awaited<ReturnType<typeof indexContentful>>;

const dayPattern = /^\d{4}-\d{2}-\d{2}$/;
const timePattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?(Z|[+-]\d{2}:\d{2})$/;

/** Reads the index of a file. Errors: SourceError. */
export async function indexContentful(source: Source) {
  const types = new Map<string, ContentfulType>();
  const locales: { code: string; isDefault: boolean }[] = [];
  const entries = new Map<string, string>();
  const counts = new Map<string, number>();
  const assets = new Map<string, JsonObject>();
  const uses = new Map<string, FieldUse>();

  function noteEntry({ sys, fields }: ContentfulItem): void {
    const type = sys.contentType?.sys.id ?? '';
    entries.set(sys.id, type);
    counts.set(type, (counts.get(type) ?? 0) + 1);
    for (const [field, values] of Object.entries(fields)) {
      const use = uses.get(`${type} ${field}`) ?? {
        count: 0,
        areDays: true,
        areTimes: true,
        areInts: true,
        texts: new Set(),
      };
      uses.set(`${type} ${field}`, use);
      use.count++;
      for (const value of Object.values(values)) {
        use.areDays &&= typeof value === 'string' && dayPattern.test(value);
        use.areTimes &&= typeof value === 'string' && timePattern.test(value);
        use.areInts &&= typeof value === 'number' && Number.isInteger(value) && Math.abs(value) < 2 ** 31;
        for (const text of [value].flat()) use.texts?.add(String(text));
        if (use.texts && use.texts.size > maxTexts) use.texts = undefined;
      }
    }
  }

  for await (const { member, value } of readJsonParts(fileOf(source))) {
    // The export has these forms; what it lacks shows in the messages below.
    if (member === 'contentTypes') {
      const type = value as unknown as ContentfulType;
      types.set(type.sys.id, type);
    } else if (member === 'locales') {
      const { code, default: isDefault } = value as JsonObject;
      locales.push({ code: String(code), isDefault: isDefault === true });
    } else if (member === 'entries') noteEntry(value as unknown as ContentfulItem);
    else if (member === 'assets') {
      const { sys, fields } = value as unknown as ContentfulItem;
      const [file] = Object.values(fields?.file ?? {});
      const { url = null, fileName = null, contentType = null } = Object(file) as JsonObject;
      assets.set(sys.id, { url, fileName, contentType });
    }
  }
  if (types.size === 0) throw new SourceError('is no export of Contentful: it has no contentTypes');
  locales.sort((one, other) => Number(other.isDefault) - Number(one.isDefault));
  return {
    types,
    /** The codes of the locales, the default one first. */
    locales: locales.length > 0 ? locales.map(({ code }) => code) : ['en-US'],
    /** The content types of entries by their IDs. */
    entries,
    /** How many entries a content type has. */
    counts,
    /** The file of each asset, in the first locale that has one. */
    assets,
    hasFiles: source.list('', (name) => name.endsWith('.ctfassets.net')).some(({ isFolder }) => isFolder),
    useOf: (type: string, field: string): FieldUse | undefined => uses.get(`${type} ${field}`),
  };
}
