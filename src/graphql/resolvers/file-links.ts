/**
 * The addresses of files in responses: those of the field `url` of files, and the links of rich text.
 */
import type { Resolvers } from '../../../generated/server/resolvers.ts';
import { invalidParameter } from '../../base/errors.ts';
import type { Json, JsonObject } from '../../model/content-type.ts';
import { completeLinks, type FileFit, type FileFormat, toFilePath } from '../../text/file-url.ts';

/** The arguments of the field `url` of a file; the enums have the GraphQL names of their values. */
export type FileUrlArguments = Parameters<Resolvers['File']['url']>[1];

/** Makes the addresses. */
export interface FileLinks {
  /** Returns the address of a file, or of a variant of a picture. Errors: invalid_parameter for a size that no variant has. */
  toUrl(file: JsonObject, variant: FileUrlArguments): string;
  /** Completes the links to files in a value of the type RichText, or in each of a list. */
  completeLinks(value: Json): Json;
}

/** Where files are served. */
export interface FileServing {
  /** The address that the path of a file is added to; empty for paths alone. */
  readonly server: string;
  /** The widths and heights that variants can have, in pixels. */
  readonly imageSizes: readonly number[];
}

/** Creates the links of an installation. */
export function createFileLinks({ server, imageSizes }: FileServing): FileLinks {
  function assertSize(name: string, size: number | undefined): void {
    if (size !== undefined && !imageSizes.includes(size))
      throw invalidParameter(name, `must be one of ${imageSizes.join(', ')}`);
  }

  const complete: FileLinks['completeLinks'] = (value) => {
    if (typeof value === 'string') return completeLinks(value, server);
    return Array.isArray(value) ? value.map(complete) : value;
  };

  return {
    completeLinks: server === '' ? (value) => value : complete,
    toUrl({ hash, name, mediaType }, given) {
      const [width, height] = [given.width ?? undefined, given.height ?? undefined];
      assertSize('width', width);
      assertSize('height', height);
      // The enums of the schema have the names of these values, in upper case.
      const fit = given.fit?.toLowerCase() as FileFit | undefined;
      const format = given.format?.toLowerCase() as FileFormat | undefined;
      const file = { hash: String(hash), name: String(name), mediaType: String(mediaType) };
      return server + toFilePath(file, { width, height, fit, format });
    },
  };
}
