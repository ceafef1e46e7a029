/**
 * What a reader of another system's export provides: content types, and assets one after the other.
 *
 * A reader reads its source twice: first for the types, then for the assets, so that it keeps no assets in memory.
 */

import type { JsonObject } from './json-value.ts';
import type { KeptFiles } from './output/kept-files.ts';
import type { Report } from './output/report.ts';
import type { Source } from './source/source.ts';

export { isObject, type Json, type JsonObject } from './json-value.ts';

/** A field of a content type or of an embedded type, as it is written in SDL. */
export interface TypeField {
  /** JSON name. */
  readonly name: string;
  /** The type of one value, such as `String`, or the name of another type. */
  readonly type: string;
  readonly isList?: boolean;
  readonly isRequired?: boolean;
  /** Directives in SDL, such as `@indexed`, without `@constraint`. */
  readonly directives?: readonly string[];
  /** The arguments of `@constraint`, such as `maxItems: 4`. */
  readonly limits?: readonly string[];
  readonly description?: string;
}

/** An object type. With a class name it is a content type, without one an embedded type. */
export interface ObjectType {
  readonly kind: 'object';
  readonly name: string;
  readonly class?: string;
  readonly description?: string;
  /** Directives in SDL besides `@contentType`. */
  readonly directives?: readonly string[];
  readonly fields: readonly TypeField[];
}

/** A union of content types, or of embedded types. */
export interface UnionType {
  readonly kind: 'union';
  readonly name: string;
  readonly members: readonly string[];
}

export interface EnumType {
  readonly kind: 'enum';
  readonly name: string;
  readonly values: readonly string[];
}

/** A type that is written into the folder of types. */
export type WrittenType = ObjectType | UnionType | EnumType;

/** One asset of the source. */
export interface ReadAsset {
  readonly asset: JsonObject;
  /** Whether the source does not publish it. */
  readonly isDraft?: boolean;
}

/** What was found in a source. */
export interface Reading {
  readonly types: readonly WrittenType[];
  /** Reads the assets, and copies the files that they name. What cannot be carried over is noted in the report. */
  assets(report: Report, files: KeptFiles): AsyncIterable<ReadAsset>;
}

/** Settings that users give; each reader knows some of them. */
export interface ReaderSettings {
  /** The beginning of class names, such as `com.example`. */
  readonly classPrefix: string;
  /** The name of the type, for sources that have one type without a name. */
  readonly type?: string | undefined;
  /** New names of fields, by the names in the source. */
  readonly names: ReadonlyMap<string, string>;
  /** The field that identifies an item. */
  readonly id?: string | undefined;
  /** The template of the path of a file, such as `{lang}/{slug}`. */
  readonly path?: string | undefined;
}

/** Reads a source. Errors: SourceError for what is no export of the system. */
export type Reader = (source: Source, settings: ReaderSettings) => Promise<Reading>;
