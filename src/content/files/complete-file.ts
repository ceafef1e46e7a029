/**
 * Completes a value of the type `File` from the record of the file, and checks it against the record and the limits of its field.
 */
import type { Problem } from '../../base/errors.ts';
import type { Json, JsonObject } from '../../model/content-type.ts';
import type { FoundFile } from '../../model/values/find-files.ts';
import { isShown, mediaTypeOf, unknownType } from '../../text/media-types.ts';
import type { FileRecord } from './file-record.ts';

/** The members of a file that the record and the name decide. */
const known = ['mediaType', 'bytes', 'width', 'height'] as const;

/** Completes the value in place, and returns what is wrong with it. */
export function completeFile(
  { path, file, constraint: { accept, maxBytes } }: FoundFile,
  record: FileRecord,
): Problem[] {
  const expected = toNamed(file, record);
  const problems: Problem[] = known.flatMap((name) =>
    file[name] === undefined || file[name] === expected[name]
      ? []
      : [
          {
            path: `${path}.${name}`,
            message: `must be ${expected[name] ?? 'left out'}, as the uploaded file is`,
          },
        ],
  );
  if (accept && !accept.some((type) => isOfType(expected.mediaType, type)))
    problems.push({ path, message: `must be a file of ${accept.join(' or ')}, not ${expected.mediaType}` });
  if (maxBytes !== undefined && record.bytes > maxBytes)
    problems.push({ path, message: `must have at most ${maxBytes} bytes, not ${record.bytes}` });
  if (problems.length === 0) fill(file, expected);
  return problems;
}

/**
 * Returns the record as a value with its own name has it. Where the bytes do not tell the media type, it follows the name: then another one
 * that the value has from a former name is removed, unless only bytes can tell it.
 */
function toNamed(file: JsonObject, record: FileRecord): FileRecord {
  const name = typeof file.name === 'string' ? file.name : record.name;
  const { mediaType: given } = file;
  const isFollowing = record.mediaType === unknownType && typeof given === 'string' && !isShown(given);
  if (isFollowing) delete file.mediaType;
  return { ...record, name, mediaType: mediaTypeOf(record.mediaType, name) };
}

function fill(file: JsonObject, { hash, name, mediaType, bytes, width, height }: FileRecord): void {
  const whole: Record<string, Json | undefined> = { hash, name, mediaType, bytes, width, height, ...file };
  for (const member of Object.keys(file)) delete file[member];
  for (const [member, value] of Object.entries(whole)) if (value !== undefined) file[member] = value;
}

/** Tells whether a media type is one such as `image/png`, or of a kind such as `image/*`. */
const isOfType = (mediaType: string, type: string) =>
  type.endsWith('/*') ? mediaType.startsWith(type.slice(0, -1)) : mediaType === type;
